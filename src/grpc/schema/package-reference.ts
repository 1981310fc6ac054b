import { nested, oneOf, protoFile, repeated, string, timestamp, uint32 } from "./fields.js";
import { Empty } from "./google.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "package_reference.proto");
export const packageReferenceFile = file;

export const PackageReference = message("PackageReference", { package_id: string(1), package_name: string(2), package_version: string(3) });

const VettedPackage = message("VettedPackage", {
  package_id: string(1),
  valid_from_inclusive: timestamp(2),
  valid_until_exclusive: timestamp(3),
  package_name: string(4),
  package_version: string(5),
});

export const VettedPackages = message("VettedPackages", {
  packages: repeated(nested(1, () => VettedPackage)),
  participant_id: string(2),
  synchronizer_id: string(3),
  topology_serial: uint32(4),
});

/** `Prior` has a `value` in JSON, `NoPrior` none. */
export const PriorTopologySerial = message("PriorTopologySerial", {
  serial: oneOf(
    { prior: uint32(1), no_prior: nested(2, () => Empty) },
    { json: "serial", isWrapped: true, unwrapped: ["no_prior"], none: "Empty" },
  ),
});
