/**
 * Of a process: what native code lets go is overwritten at once, where the C library is glibc. The byte has the bit by which uWebSockets
 * knows a response that closes its connection.
 */
export const freedIsOverwritten = { MALLOC_PERTURB_: "16" };
