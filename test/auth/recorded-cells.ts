/** How recorded answers about authorisation are written in one word, so that theirs and ours can be held together. */

interface ErrorBody {
  readonly code?: string;
  readonly grpcCodeValue?: number;
  readonly context?: Readonly<Record<string, string>>;
}

export interface RecordedCell extends ErrorBody {
  readonly operation: string;
  readonly principal: string;
  readonly party: string;
  readonly status: number;
  readonly firstFrame?: "data" | "error" | "none";
}

const httpOfGrpc: Readonly<Record<number, number>> = { 16: 401, 7: 403 };

function errorWord(status: number, { code, context }: ErrorBody): string {
  const lookup = context?.["ledger_api_error"] === undefined ? "" : "t";
  return `${status}${lookup}${code === undefined || code === "NA" ? "" : `/${code}`}`;
}

export const httpWord = (status: number, body: unknown): string =>
  status === 200 || status === 101 ? "200" : errorWord(status, typeof body === "object" && body !== null ? (body as ErrorBody) : {});

export const frameWord = (frame: ErrorBody): string => `f${errorWord(httpOfGrpc[frame.grpcCodeValue ?? 0] ?? 400, frame)}`;

/** A cell of the matrix as the recorder wrote it. */
export function cellWord(cell: RecordedCell): string {
  if (cell.status !== 101) return httpWord(cell.status, cell);
  return cell.firstFrame === "error" ? frameWord(cell) : (cell.firstFrame ?? "none");
}
