/** Small wrongs done to a token, at random places. */

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ %\0\u00e9,";

export function mutate(token: string, other: string, random: (below: number) => number): string {
  const at = random(token.length);
  const letter = letters[random(letters.length)]!;
  const parts = token.split("."),
    others = other.split(".");
  switch (random(8)) {
    case 0:
      return token.slice(0, at) + letter + token.slice(at + 1);
    case 1:
      return token.slice(0, at) + token.slice(at + 1);
    case 2:
      return token.slice(0, at) + letter + token.slice(at);
    case 3:
      return token.slice(0, at);
    case 4:
      return parts.map((part, index) => (random(2) === 0 ? part : others[index])).join(".");
    case 5:
      return [
        parts[0],
        Buffer.from(Buffer.from(parts[1]!, "base64url").toString().replace(/\w/, letter)).toString("base64url"),
        parts[2],
      ].join(".");
    case 6:
      return [
        Buffer.from(JSON.stringify({ alg: ["none", "HS256", "HS512", "RS256", "ES256"][random(5)], typ: "JWT", x: random(9) })).toString(
          "base64url",
        ),
        parts[1],
        ["", parts[2], "AA"][random(3)],
      ].join(".");
    default:
      return token.slice(0, at) + token.slice(at).toUpperCase();
  }
}
