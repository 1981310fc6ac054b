/**
 * The on-disk document: every table of the file, who writes it and what its records hold.
 *
 * Offsets are 6 bytes, numbers big-endian in keys (so that byte order is number order) and little-endian in records.
 * A *sealed* record starts with its version (1 byte), 3 bytes of zero and the CRC-32 of all that follows; see `records.ts`.
 * Parties and template names are interned: keys hold their number, which is never reused.
 *
 * | table              | key                                             | record
 * |
 * | state              | name (text)                                     | sealed bytes: format, identity, pruning, vetting serial,
 * `note/..` |
 * | updates            | offset                                          | sealed update, or what pruning left of it, see
 * `ledger/records/update-record.ts` |
 * | updateIndex        | party, template (0 = any), offset               | empty; party 0 = any party
 * |
 * | contracts          | contract id (bytes)                             | sealed places, key hash, synchronizer; see
 * `ledger/records/contract-record.ts` |
 * | instances          | activated offset, node id                       | sealed template, stakeholders, key hash, contract id,
 * FatContractInstance |
 * | active             | party, template, activated offset, node id      | empty; party 0 = any party
 * |
 * | archived           | party, template, created offset, node id, archived offset | empty
 * |
 * | archiveMarks       | party, template, level, block of created offsets | sealed offset of the last archive of a contract created there,
 * see `ledger/records/archive-marks.ts` |
 * | activeKeys         | key hash, created offset, node id               | sealed contract id, stakeholders
 * |
 * | completions        | offset                                          | sealed completion, see `ledger/records/completion-record.ts`
 * |
 * | completionIndex    | party, offset                                   | empty
 * |
 * | deduplication      | first 16 bytes of the change id's SHA-256       | sealed offset, record time, submission id of the last
 * acceptance |
 * | parties            | party (text)                                    | sealed number and details
 * |
 * | templates          | number                                          | sealed `package-name:Module:Entity`
 * |
 * | packages           | package id (text)                               | sealed summary (JSON) and vetting
 * |
 * | packagePayloads    | package id (text)                               | sealed ArchivePayload
 * |
 * | users              | user id (text)                                  | sealed JSON, see `ledger/admin/tables.ts`; so are the next
 * three |
 * | userRights         | user id (text)                                  | sealed JSON
 * |
 * | userIndex          | identity provider id, zero byte, user id (text) | empty
 * |
 * | identityProviders  | identity provider id (text)                     | sealed JSON
 * |
 * | externalParties    | party (text)                                    | sealed topology transaction and who signed it, see
 * `ledger/external/external-parties.ts` |
 * | updateIds          | update id (bytes)                               | sealed offset, of updates whose id does not tell it, see
 * `ledger/records/update-ids.ts` |
 * | reassignments      | reassignment id (bytes)                         | sealed synchronizers, submitter, contracts, see
 * `ledger/records/reassignment-record.ts` |
 * | unassigned         | party, template, unassigned offset, node id     | empty; contracts on their way between synchronizers
 * |
 * | assigned           | party, template, unassigned offset, node id, assigned offset | empty
 * |
 * | assignedMarks      | party, template, level, block of unassigned offsets | sealed offset of the last assignment of a contract
 * unassigned there |
 *
 * Each participant has its own set of these tables: that of the first under these names, those of others with the number of the
 * participant before them (`1/updates`). How many there are stands in the first `state`.
 *
 * Beside the roots of the tables lies the record `sums`: what the tables hold after each commit, see `table-sums.ts`.
 *
 * All of one commit is one LMDB transaction, and only `ledger/commit/commit.ts` asks for one; the four of users and identity providers are
 * written by `ledger/admin`.
 */

/**
 * Grows by one when a table or record changes its meaning, and `environment.ts` then has the step: 4 has the sums of the tables,
 * 5 has reassignments. What 4 wrote means the same to 5.
 */
export const formatNumber = 5;
export const uncountedFormatNumber = 3;

/** In the table `state`. */
export const formatKey = "format";

/** The same: how many sets of tables there are; without it one. */
export const setsKey = "sets";
