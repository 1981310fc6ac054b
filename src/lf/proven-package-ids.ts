/**
 * Packages of public releases that nearly every DAR brings along: standard libraries, and the interfaces of the token standard. An id
 * is the hash of the bytes, and all of their definitions were decoded and validated when they were entered here, and refer to each
 * package that they name, as `test/lf/archive/proven-packages.test.ts` finds again in every DAR that it has: who uploads them need not
 * wait for it.
 */
import type { PackageId } from "./ast.js";

const provenPackageIds: readonly (readonly [id: PackageId, what: string])[] = [
  ["22ffcbab726e64e179deebd895307fad94efbae3f72b07677e24038d0fbf4467", "daml-prim"],
  ["54f85ebfc7dfae18f7d70370015dcc6c6792f60135ab369c44ae52c6fc17c274", "daml-prim"],
  ["7cff38e34bd192d498d5a7606aa3b893e35b0f632d582b273f66dab90f2f14ef", "daml-prim"],
  ["2857149df3c364fa3c3fc677d2a40c693b1a1d106a16ba5325f247b1a76c7f38", "daml-prim"],
  ["4039f60273388c5701e27950ab3e8c3044433b0876535a3b48fb042cc77bf02a", "daml-stdlib 3.5.2"],
  ["3b25c9b08ac6d895417c604fc0ee4b7e47ef974ff8fa43f139daa43bb431fefc", "daml-stdlib 3.4.11"],
  ["9d1a644e686435cf934f2f3f049138a424863b2a800130046dadc0c994ea5df3", "daml-stdlib 3.3.0.20250502.13767.0"],
  ["1fb4f5d8c38cf7a36c291a9ced114819240caa79e4383de8eebcf58af4970b77", "daml-stdlib 3.0.0.20240318.12913.0"],
  ["7804375fe5e4c6d5afe067bd314c42fe0b7d005a1300019c73154dd939da4dda", "splice-api-featured-app-v1 1.0.0"],
  ["dd22e3e168a8c7fd0313171922dabf1f7a3b131bd9bfc9ff98e606f8c57707ea", "splice-api-featured-app-v2 1.0.0"],
  ["6f7b72361bc2039369651b4195315a2a5849babafec67b3c96e66ea6e560ec35", "splice-api-reward-assignment-v1 1.0.0"],
  ["275064aacfe99cea72ee0c80563936129563776f67415ef9f13e4297eecbc520", "splice-api-token-allocation-instruction-v1 1.0.0"],
  ["9818a0b5b827109de03a04c8f6151cde9d1e7fe5123dbb2dfeb0e52d7271287c", "splice-api-token-allocation-instruction-v2 1.0.0"],
  ["6fe848530b2404017c4a12874c956ad7d5c8a419ee9b040f96b5c13172d2e193", "splice-api-token-allocation-request-v1 1.0.0"],
  ["adc16315a8943a8433886694720a2a000ae84c2315c4414bd6d0db4d1660de9c", "splice-api-token-allocation-request-v2 1.0.0"],
  ["93c942ae2b4c2ba674fb152fe38473c507bda4e82b4e4c5da55a552a9d8cce1d", "splice-api-token-allocation-v1 1.0.0"],
  ["051a3b0563a6fa4df4cb34448081e48b061e555aa1a265abf6ae8f3f4cafe439", "splice-api-token-allocation-v2 1.0.0"],
  ["9cc2cbc838ef38dc2c7f34014c9c452bcf71b8e2a4f939235fc0b5d0924b185e", "splice-api-token-burn-mint-v1 1.0.0"],
  ["718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b", "splice-api-token-holding-v1 1.0.0"],
  ["4b7ecfc366d79ccc5ed07c80f26fe489cf2dfd43ce2856c06a78e6a048db7032", "splice-api-token-holding-v2 1.0.0"],
  ["4ded6b668cb3b64f7a88a30874cd41c75829f5e064b3fbbadf41ec7e8363354f", "splice-api-token-metadata-v1 1.0.0"],
  ["5c1097a9bad0af4bcfe6d3fb0fe55112d3d11f18eae57ddfb14c20836fee226c", "splice-api-token-transfer-events-v2 1.0.0"],
  ["55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281", "splice-api-token-transfer-instruction-v1 1.0.0"],
  ["29317e3b7b165d2bbf16721bcca0ec4869e53eddb2738bddf790d61af28e0099", "splice-api-token-transfer-instruction-v2 1.0.0"],
];

const ids: ReadonlySet<PackageId> = new Set(provenPackageIds.map(([id]) => id));

export const isProvenPackageId = (id: PackageId): boolean => ids.has(id);
