/** Which names the name service gives, and what it takes beside them. */

/** As in a local network. */
const acronym = "ans",
  suffix = `.unverified.${acronym}`;
const nameCharsMax = 60,
  urlCharsMax = 255,
  descriptionCharsMax = 140;
const pattern = new RegExp(`^[a-z0-9_-]{1,${nameCharsMax - suffix.length}}\\.unverified\\.${acronym}$`);

export interface EntryTerms {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

/** Why a name is not given, whoever asks for it; undefined: it may be. */
export function entryProblem({ name, url, description }: EntryTerms): string | undefined {
  if (!pattern.test(name)) return `entry name (${name}) is not valid`;
  if (!isEntryUrl(url)) return `entry url (${url}) is not valid`;
  return description.length <= descriptionCharsMax ? undefined : `entry description (${description}) is not valid`;
}

const isEntryUrl = (url: string): boolean =>
  url === "" || (url.length <= urlCharsMax && URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol));
