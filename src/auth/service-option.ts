/** The text of `--auth`: one service, or several in order. */
import { type Result, fail, ok } from "../base/result.js";
import type { CertificateAlgorithm } from "./verification.js";

export type ServiceOption =
  /** The secret itself, or `file:` and where it stands. */
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "certificate"; readonly algorithm: CertificateAlgorithm; readonly file: string }
  | { readonly kind: "keySet"; readonly url: string };

const serviceOptionForms =
  "none | hs256:SECRET | hs256:file:SECRET_FILE | rs256:CERTIFICATE_FILE | es256:CERTIFICATE_FILE | es512:CERTIFICATE_FILE | jwks:URL";

/** `none` is no service at all. */
export function parseServiceOption(text: string): Result<ServiceOption | undefined, string> {
  if (text === "none") return ok(undefined);
  const colon = text.indexOf(":");
  const [kind, value] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  if (value === "" || (kind === "hs256" && value === "file:")) return fail(`expected ${serviceOptionForms}`);
  switch (kind) {
    case "hs256":
      return ok({ kind: "secret", secret: value });
    case "rs256":
    case "es256":
    case "es512":
      return ok({ kind: "certificate", algorithm: kind.toUpperCase() as CertificateAlgorithm, file: value });
    case "jwks":
      if (!URL.canParse(value)) return fail(`${value} is not a URL`);
      return /^https?:$/.test(new URL(value).protocol)
        ? ok({ kind: "keySet", url: value })
        : fail("key sets are fetched by https, or by http where the node listens on loopback");
    default:
      return fail(`expected ${serviceOptionForms}`);
  }
}
