/**
 * Makes the console's page: script and style stand in it, so that it is one answer and needs nothing else. Beside it, what goes
 * over the wire. Run by `npm run build`.
 */
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = new URL("./", import.meta.url),
  target = new URL("../../dist/console/", here);
const { version } = JSON.parse(readFileSync(new URL("../../package.json", here), "utf8"));
const path = (name) => fileURLToPath(new URL(name, here));

const { outputFiles, metafile } = await build({
  entryPoints: [path("main.tsx"), path("style.css")],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  outdir: "out",
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { LEDGERLINE_VERSION: JSON.stringify(version) },
  logLevel: "warning",
  tsconfig: path("tsconfig.json"),
});
const textOf = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
const script = textOf(".js"),
  style = textOf(".css");
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");

// Functions, as a replacement text has patterns of its own.
const page = readFileSync(path("page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script);
mkdirSync(target, { recursive: true });
const write = (name, bytes) => writeFileSync(new URL(name, target), bytes);
write("page.html", page);
writeFileSync(new URL("../console-inputs.json", target), JSON.stringify(Object.keys(metafile.inputs))); // their licences go with the bundle
write("page.html.gz", gzipSync(page, { level: 9 }));
const brotli = brotliCompressSync(page, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(page) },
});
write("page.html.br", brotli);
console.log(`console: ${Math.ceil(Buffer.byteLength(page) / 1024)} kB, ${Math.ceil(brotli.length / 1024)} kB compressed`);
