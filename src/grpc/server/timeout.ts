/**
 * Of the metadata `grpc-timeout` (gRPC over HTTP2, "Timeout"), in milliseconds. Undefined: there is none, or one that Node.js, which counts
 * in 31 bits, cannot wait for: 24 days.
 */
export function timeoutIn(header: string | string[] | undefined): number | "malformed" | undefined {
  if (header === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  if (amount === undefined) return "malformed";
  const ms = Number(amount) * msOf[unit as keyof typeof msOf];
  return ms >= 2 ** 31 ? undefined : ms;
}

const msOf = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 } as const;
