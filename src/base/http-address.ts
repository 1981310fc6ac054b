/** Where HTTP is spoken. `host`: a name, or an address, of which that of IPv6 stands in brackets. */
export const httpAddress = (host: string, port: number, scheme: "http" | "https" = "http"): string =>
  `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
