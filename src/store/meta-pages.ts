/** The two pages at the begin of the file, of which the newer says where everything is. Commits write them in turns. */
import {
  commitOf,
  flagsOf,
  headBytes,
  PageDamage,
  pageFlags,
  type PageFile,
  pageNumber,
  treeHead,
  u32,
  u64,
  type TreeHead,
} from "./page-file.js";

export interface MetaPage {
  readonly pageBytes: number;
  /** Of the newest commit. */
  readonly commit: number;
  readonly lastPage: number;
  readonly freePages: TreeHead;
  readonly tables: TreeHead;
}

const magic = 0xbeefc0de,
  version = 2;
/** Places behind the head of the page. */
const versionAt = 4,
  addressAt = 8,
  mapSizeAt = 16,
  freePagesAt = 24,
  tablesAt = 72,
  lastPageAt = 120,
  commitAt = 128,
  metaBytes = 144;
/** LMDB keeps the page size where another tree has its own kind of padding, and its flags there too. */
const pageBytesAt = freePagesAt,
  integerKeys = 8;

interface Read extends MetaPage {
  readonly mapBytes: number;
}

function readMeta(file: PageFile, number: number, position: number): Read {
  const page = Buffer.alloc(headBytes + metaBytes);
  const wrong = (problem: string): never => {
    throw new PageDamage(number, `meta page ${number} ${problem}`);
  };
  if (file.read(page, position, page.length) < page.length) wrong("is cut off");
  const at = headBytes;
  if (page.readUInt32BE(at) === magic) wrong("was written by a machine of another byte order, and can be read on such a machine only");
  const isMeta = u32(page, at) === magic && flagsOf(page) === pageFlags.meta && pageNumber(page) === number && commitOf(page) === 0;
  if (!isMeta) wrong("is none of LMDB's");
  if (u32(page, at + versionAt) !== version) wrong(`is of version ${u32(page, at + versionAt)}, which is not LMDB's ${version}`);
  const freePages = treeHead(page, at + freePagesAt),
    tables = treeHead(page, at + tablesAt),
    pageBytes = u32(page, at + pageBytesAt);
  const isSize = pageBytes >= 512 && pageBytes <= 32_768 && (pageBytes & (pageBytes - 1)) === 0;
  const isPlain = freePages.flags === integerKeys && u64(page, at + addressAt) === 0 && u32(page, at + tablesAt) === 0;
  if (!isSize || !isPlain) wrong("describes no file that can be");
  const commit = u64(page, at + commitAt),
    lastPage = u64(page, at + lastPageAt),
    mapBytes = u64(page, at + mapSizeAt);
  return { pageBytes, commit, lastPage, mapBytes, freePages, tables };
}

/** The one that counts; the other is from the commit before. */
export function newestMeta(file: PageFile): MetaPage {
  const first = readMeta(file, 0, 0),
    second = readMeta(file, 1, first.pageBytes);
  const [older, newer] = first.commit < second.commit ? [first, second] : [second, first],
    number = newer === first ? 0 : 1;
  const wrong = (problem: string): never => {
    throw new PageDamage(number, `meta page ${number} ${problem}`);
  };
  if (first.pageBytes !== second.pageBytes || first.mapBytes !== second.mapBytes) wrong("describes another file than the other one");
  // Of a new file, and of a copy until its second commit, one is of commit 0.
  if (older.commit > 0 && newer.commit - older.commit !== 1) wrong(`is of commit ${newer.commit}, the other of commit ${older.commit}`);
  if (older.commit > 0 && newer.commit % 2 !== number) wrong(`is of commit ${newer.commit}, which the other should be of`);
  if ((newer.lastPage + 1) * newer.pageBytes > newer.mapBytes) wrong(`ends the file at page ${newer.lastPage}`);
  return newer;
}
