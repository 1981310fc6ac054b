/**
 * Every limit and default, once, with its unit in the name: what is taken from others, what is kept, how long is waited, how much is done
 * at once. Others stand where they are used, with their reason: bounds of a format or a language with what reads and writes it, sizes from
 * which on another way to compute is the faster one beside both ways, and what the console keeps in a browser in the console.
 */

export const limits = {
  // The main thread
  /** How long work whose size a client decides may hold the event loop, all of it together. */
  turnMs: 2,
  /** The same for those who read lists and streams, and how long they rest between two turns while commands are under way. */
  readerTurnMs: 0.5,
  readerRestMs: 2,
  /** Entries that a map of short-lived ones may lose until it is begun anew. */
  briefEntriesLeftMax: 1_000,
  /** From its unassignment on only who unassigned a contract may assign it; then anybody may, and the node does. */
  assignmentExclusivitySeconds: 60,
  /** Until an assignment that nobody asked for is tried again where it was refused: at first, and at most, as it doubles each time. */
  assignmentRetryMs: 1_000,
  assignmentRetryMaxMs: 60_000,
  /** Ends of elements of a list of active contracts, one for each reassignment counter. */
  activeContractsTailsKeptMax: 1_000,
  /** That a ledger ever had; the number of one has room in the kind of an update. */
  synchronizersMax: 16,
  // HTTP
  bodyBytesMax: 8 * 1024 * 1024, // the reference's own bound for JSON bodies
  darBytesMax: 64 * 1024 * 1024,
  /** Of all requests together, from the first byte until the handler is done with it. */
  bodiesBytesMax: 256 * 1024 * 1024,
  /** A body that does not come at once is kept in blocks of this size; those of so many are kept for the next ones. */
  bodyBlockBytes: 16 * 1024,
  spareBodyBlocksMax: 256,
  /** A body above this comes into a region of its own, which grows by so much. */
  bodyInBlocksBytesMax: 256 * 1024,
  bodyGrowthBytes: 1024 * 1024,
  /** Regions of clients who left that are kept for the next bodies, for so long. */
  spareBodyRegionsBytesMax: 16 * 1024 * 1024,
  spareBodyRegionsMs: 1_000,
  /**
   * uWebSockets.js only: requests of all connections that are answered within one turn of the event loop, of which whoever pipelines
   * without end brings thousands; pieces of a body, below a size, that one connection may bring within one.
   */
  requestsPerTurnMax: 512,
  bodyPieceBytesMin: 256,
  bodyPiecesPerTurnMax: 4_096,
  /** Of a WebSocket, pings and pongs among them, within a turn. One needs one message, and a pong each `webSocketIdleSeconds`. */
  webSocketFramesPerTurnMax: 256,
  headBytesMax: 16 * 1024,
  /** A name of 253 characters, with its scheme, port and brackets. */
  originCharsMax: 300,
  /** Hosts and origins whose verdicts are remembered. */
  originsRememberedMax: 1_000,
  /** How long a browser need not ask again; Chromium takes no more. */
  preflightAgeMaxSeconds: 7_200,
  requestDeadlineMs: 20_000, // the reference answers 503 after 20 s
  /** Of the files that the process may have open, so many are not for connections: the store's, those of threads, requests of its own. */
  openFilesKept: 256,
  webSocketFirstMessageMs: 60_000, // as long as the reference lets a connection be silent; people paste their first message
  /**
   * Of a request for a stream: the longest has some thousand parties of 100 to 200 bytes each. So much of each open socket the native code
   * may hold by itself, for as long as that is open.
   */
  webSocketMessageBytesMax: 1024 * 1024,
  /**
   * A peer that was silent for so long is dropped. It is pinged well before (after 44 s of 60 by uWebSockets.js, which takes 8 to 960;
   * after half by node:http), so that no client or proxy that allows 50 s of silence or more gives up a stream that has nothing to say.
   */
  webSocketIdleSeconds: 60,
  /** A refused body is read and thrown away for this long, so that the client reads the answer instead of a reset. */
  lingerMs: 1_000,
  lingerBytesMax: 64 * 1024 * 1024,
  /** node:http only (uWebSockets.js has the same bound built in): a head, body or reader that stalls so long is given up. */
  stallMs: 10_000,
  /** node:http only: a body that comes with less than this, looked at each `stallMs`, is given up. uWebSockets.js has 16 kB/s. */
  bodyBytesPerSecondMin: 256,
  /**
   * A WebSocket whose peer took nothing for so long, where something is to be sent, is closed. Longer than `stallMs`, as the system says
   * only now and then that a slow peer took something: of a buffer of some megabytes when a third of it is free.
   */
  webSocketStallMs: 60_000,
  /** node:http only. */
  keepAliveMs: 60_000,
  /**
   * uWebSockets.js closes a connection that was idle for 8 to 12 s. Clients are told to let go of it before, as whoever sends just then
   * gets no answer.
   */
  keepAliveToldSeconds: 7,
  /** Bodies above this go out piecewise, and a stream writes pieces of it: it must fit the native cork buffer (16 KiB) with a head. */
  replyPieceBytesMax: 12 * 1024,
  replyHeadBytesMax: 4 * 1024 - 256, // status line, date and framing headers take the rest
  /** At shutdown, between the last reply and closing its connection: what the kernel did not take yet. */
  drainSettleMs: 50,
  /** A socket's unsent bytes above which a stream waits for drain. */
  streamBufferedBytesMax: 256 * 1024,
  jsonDepthMax: 1_000,
  jsonNumberCharsMax: 100,
  /** Of one text, and of all texts together, but for those that hold contracts, transactions or Daml values; as they are written. */
  jsonTextBytesMax: 1024 * 1024,
  jsonTextsBytesMax: 4 * 1024 * 1024,
  /** Elements of one list, members of one object of a request. What Daml values hold is the engine's to count. */
  requestElementsMax: 10_000,
  /** Values of a whole request, lists and objects among them; a Daml value counts as one. */
  requestValuesMax: 50_000,
  /** Of a body with more values than this only the first fault is told, not several: to look for them takes longer than to answer. */
  faultsSearchedValuesMax: 1_000,
  /** Bodies up to this are decoded in one go. */
  shortBodyBytesMax: 16 * 1024,
  /** Bytes of a longer one that are looked at, copied or made text at once. */
  textPieceBytes: 64 * 1024,
  // gRPC
  /**
   * Of a message, as a DAR comes in one: `darBytesMax` and what stands around it. One that holds no DAR has at most `bodyBytesMax` and
   * `requestValuesMax`, as in JSON, which it becomes; all together are bounded by `bodiesBytesMax`. The reference has 10 MiB.
   */
  grpcMessageBytesMax: 64 * 1024 * 1024 + 64 * 1024,
  /** Each piece that a message comes in takes so much beside its bytes, as who sends single bytes makes an object of each. */
  grpcPieceBytes: 128,
  /** Of what a connection sends so much is read at once, and in a turn of the event loop until it took so long: bytes may be many calls. */
  grpcReadBytes: 4 * 1024,
  grpcReadMs: 1,
  /** What is answered by more characters of JSON is written over several turns. */
  grpcReplyCharsAtOnce: 64 * 1024,
  grpcMetadataBytesMax: 8 * 1024, // the reference's; clients are told and keep to it
  /** Open at once on one connection; clients are told, and let further ones wait. */
  grpcStreamsPerConnectionMax: 1_000,
  /** A silent connection is pinged after so long, and dropped if it does not answer in time; the reference's. */
  grpcKeepAliveMs: 600_000,
  grpcKeepAliveAnswerMs: 20_000,
  /** A connection without a call for so long is closed; clients make a new one when they call again. */
  grpcIdleMs: 1_800_000,
  /** What is sent and taken by nobody is given up after `webSocketStallMs`, and a second for each so many bytes of it. */
  grpcTakenBytesPerSecondMin: 16 * 1024,
  /** How often those who watch the health look at it. */
  grpcHealthIntervalMs: 1_000,
  /** Of a question to server reflection, or to the health, which is a name. */
  grpcNameBytesMax: 16 * 1024,
  /** Whose token held is let in with it for so long without its being looked at before his message; it is looked at with each request. */
  grpcLetInMs: 10_000,
  /** So many tokens are known by that. */
  grpcLetInMax: 1_000,
  // Lists
  listElementsMax: 200,
  /**
   * A list that is collected takes no more, and a page that takes so many is over: elements may be large. Looked at behind each read, which
   * ends with the turn.
   */
  listBytesMax: 256 * 1024 * 1024,
  pageBytesMax: 32 * 1024 * 1024,
  /** A client may ask for so many by a header; they are not collected but sent as they are read. */
  listElementsStreamedMax: 10_000_000,
  listWaitMs: 500,
  /**
   * Of all lists and pages that are collected or on their way out, together: beyond that they are refused or over once they are longer than
   * the second. Their memory doubles as they grow.
   */
  repliesBytesMax: 512 * 1024 * 1024,
  replyAssuredBytes: 1024 * 1024,
  /** Of the batches of all streams that are on their way to sockets: above that others wait until some are taken. */
  framesBytesMax: 256 * 1024 * 1024,
  /** Memory of list replies that is kept for the next ones, all together; pieces below or above these sizes are not. */
  spareRepliesBytesMax: 32 * 1024 * 1024,
  spareReplyBytesMin: 16 * 1024,
  spareReplyBytesMax: 8 * 1024 * 1024,
  updatesPageElementsDefault: 100,
  updatesPageElementsMax: 2_000,
  activeContractsPageElementsDefault: 2_000,
  activeContractsPageElementsMax: 10_000,
  partiesPageElementsMax: 10_000,
  usersPageElementsMax: 1_000,
  userRightsMax: 1_000,
  vettedPackagesPageElementsMax: 100,
  identityProvidersMax: 16,
  // Streams
  /** A reader that is caught up wakes at least so often, to see that it is still wanted; one whose list has an end of its own does so, too. */
  readerWakesMs: 60_000,
  checkpointIntervalMs: 15_000,
  checkpointFirstMs: 500,
  checkpointDelayMaxSeconds: 75,
  /** What a stream reads at once: at first, at most, and no more elements than have about so many bytes together as far as one can tell. */
  streamBatchElementsFirst: 16,
  streamBatchElements: 256,
  streamBatchBytes: 256 * 1024,
  /** Offsets without an update that one batch of a reader of everything looks into. */
  gapOffsetsMax: 1_024,
  /** Contracts with one key that are read at once, where many are asked for. */
  keyedPieceMax: 256,
  /** Of one range of an index, where a reader goes through many as one; and of all of them together about so many are read ahead. */
  mergedPieceMin: 4,
  mergedAheadMax: 4_096,
  /** Entries of indexes that are kept in memory for the next readers, of updates and of active contracts so many each: some 8 bytes each. */
  keptEntriesMax: 1_048_576,
  keptEntriesPerRun: 512,
  /** Ranges of the index of updates of which it is remembered what was read last, and how many offsets of each. */
  latestOffsetRangesMax: 256,
  latestOffsetsMax: 64,
  /** When one commit ends more than so many of them, all are forgotten. */
  keptEntriesRemovedMax: 10_000,
  /** Who asks for fewer at once goes through many ranges, and leaves them where they are. */
  keptEntriesPieceMin: 64,
  /** Requests for lists whose secrets for tokens are kept, and how long one may be for that. */
  tokenRequestsKeptMax: 1_000,
  tokenRequestCharsKeptMax: 4_096,
  /** Parties, and templates of which it is remembered that one of them has contracts, all together; of updates as many. Some 40 bytes each. */
  partyTemplatesKeptMax: 200_000,
  /** Who asks for so many templates of a party asks first which of them it has. */
  namedTemplatesMin: 16,
  /** A reader of more parties looks at every commit whether it is for one of them. */
  concernedPartiesMax: 256,
  /** Names of packages and templates of one request that nobody knows, which are told; it may have thousands. */
  unknownNamesToldMax: 100,
  /** Entries of the index of archived contracts that one read at an earlier offset looks at. */
  archivedSearchMax: 2_048,
  /** Events of a transaction that are read in one go; of one with more, so many with their views before others have their turn. */
  readStepEvents: 250,
  /** Interface views kept in memory for the next readers, and of how many characters all together. */
  interfaceViewsCachedMax: 10_000,
  interfaceViewsCachedCharsMax: 16 * 1024 * 1024,
  /** Views that a reader asks for at once, but for one update more: at first, and at most; about so many characters once he has seen some. */
  viewsAtOnceFirst: 16,
  viewsAtOnceMax: 256,
  viewsAtOnceCharsMax: 4 * 1024 * 1024,
  /** Records of updates kept in memory for the next readers. */
  updateCacheBytesMax: 32 * 1024 * 1024,
  updateCacheChunkBytes: 1024 * 1024,
  /** The same of records that are longer than a quarter of a chunk: for so long behind the last reader of any of them, at most twice that. */
  largeRecordsBytesMax: 32 * 1024 * 1024,
  largeRecordsMs: 5_000,
  /** Neighbours of updates, 64 at a time, of which it is remembered that somebody read them: what nobody read before is not kept. */
  updateNeighboursReadMax: 4_096,
  /** Of the texts of updates that one reader of many brings there; who reads more leaves what is there to others. */
  logReaderKeptBytesMax: 20 * 1024 * 1024,
  /** Of pages of records that such a reader reads at once, at least and at most, and records of them; and steps between updates, so many one after the other. */
  updateStretchBytesMin: 16 * 1024,
  updateStretchBytes: 256 * 1024,
  updateStretchRecordsMax: 1_024,
  logReaderStepMax: 4,
  logReaderStepsMin: 16,
  /** Kinds of transactions that a record is compared with first. */
  updateKindsRecentMax: 8,
  /** Different kinds of transactions among them, and how much one may have in it to be of a kind. */
  updateKindsKeptMax: 10_000,
  updateKindEventsMax: 8,
  updateKindPartiesMax: 64,
  /** Texts of active contracts kept in memory for the next readers; where each is takes some 150 bytes more. */
  contractTextsBytesMax: 32 * 1024 * 1024,
  contractTextsChunkBytes: 1024 * 1024,
  /** Chunks of either that are kept for what is read next: as many as readers go through within a turn of the event loop. */
  spareChunksMax: 4,
  /** Different pairs of template and stakeholders that those texts share; and stakeholders of all of them. */
  contractKindsKeptMax: 10_000,
  contractKindPartiesKeptMax: 1_000_000,
  /** Different lists of more than one party that the updates in memory share; and numbers of parties in all of them. */
  partyListsSharedMax: 10_000,
  partyListNumbersSharedMax: 1_000_000,
  /** Parties whose numbers an engine thread keeps. */
  partyNumbersKeptMax: 100_000,
  /** Records of contracts that an engine thread keeps decoded, as commands use them again and again. Decoded they take some ten times that. */
  keptContractsBytesMax: 1024 * 1024,
  /** Ids of contracts that were used once, kept to know those that are used again. */
  contractsUsedOnceMax: 4_096,
  /**
   * Contracts that an engine thread made last, for who uses one before the file has it: how many, bytes of one, bytes of all. The first and
   * the last hold for each half of them, of which the older one goes as a whole.
   */
  freshContractsMax: 256,
  freshContractBytesMax: 64 * 1024,
  freshContractsBytesMax: 1024 * 1024,
  // Submissions
  commandsInFlightMax: 256,
  /** Requests with a command that wait for a place among those, before they are decoded; and for how long before they are refused. */
  commandsInLineMax: 16_384,
  commandInLineMs: 5_000,
  /** Commands that wait for a later ledger time; what these hold, not counting the last one. */
  commandsAsideMax: 1_000,
  commandsAsideBytesMax: 64 * 1024 * 1024,
  /** Who waits for a ledger time looks at the clock so often, which may be set meanwhile. */
  ledgerTimeSleepMaxMs: 1_000,
  reinterpretationsMax: 3,
  /** Fields of one message that are gone through to find the submitters of a prepared transaction; it has one of each of its inputs. */
  preparedFieldsMax: 100_000,
  /** Bytes of disclosed contracts that are decoded on the main thread; more are on an engine thread. */
  disclosedBytesOnMainMax: 32 * 1024,
  deduplicationDurationMaxSeconds: 7 * 24 * 3600,
  groupCommitSubmissionsMax: 500,
  /** A commit waits for submissions that engine threads are at where they are this many times as many as its own, but not for longer. */
  groupCommitComingTimes: 4,
  groupCommitWaitMs: 2,
  /** Acceptances that are in memory and in completions only; 250 bytes each at most. */
  acceptancesUnsettledMax: 16_384,
  /** Others, of formats before 9, for which there is room at first in what tells that a change is new; 10 bits each. */
  formerChangesAtFirst: 65_536,
  /** How long a commit waits for a process that is opening the file, which takes a moment, before it is refused. */
  openingWaitMs: 5_000,
  /**
   * Contracts whose latest states are in memory and in a tail of the table of contracts only; 270 bytes each at most, on every thread that
   * looks for one.
   */
  contractsUnsettledMax: 16_384,
  /** Commits by which as many of either are settled. */
  settlementParts: 32,
  /** Until the next of these where hardly anything comes meanwhile. */
  settlementPartWaitMs: 200,
  /** Of one record of the tail; and records of it that go with one commit when they are of no use any more. */
  contractChangesPerRecord: 1_000,
  contractChangesClearedPerCommit: 1_000,
  /** Runs of a level that are merged to one of the next: what is looked for may be in so many, or half as many more, of each level. */
  runsPerLevel: 8,
  /** Of the entries of a bucket, about: some of them fit a page. Neighbours that share a filter, which fits half a page. */
  runBucketBytes: 1_344,
  runBucketsPerPiece: 216,
  /** After so many changes each merge under way goes on by one piece: it is done when half as many changes came as it merges. */
  runChangesPerPiece: 1_250,
  /** Pieces of one merge that go with a commit where more changes came than merges had time for. */
  runPiecesPerCommit: 8,
  /** Records of runs that are of no use any more, which are removed with each piece of a merge, for each level. */
  runRecordsPerPiece: 250,
  /** Entries of the oldest run that are looked at with each piece, whether they still count: several times as many as come meanwhile. */
  runEntriesPerPiece: 10_000,
  /** In memory, of each index on every thread, to know which runs have an entry: 10 bits of each. */
  runFiltersBytesMax: 64 * 1024 * 1024,
  /** Of one range of an index, which a commit writes as one entry: four bytes each, and a record should not outgrow half a page. */
  indexEntryOffsetsMax: 256,
  /** Between digests of history that are kept by their offsets: what a start goes through again. */
  historyPointOffsets: 256,
  historyPointBytes: 16 * 1024 * 1024,
  /** Of one record, that are hashed before others have their turn. */
  historyStepBytes: 1024 * 1024,
  /** Events of a transaction, and writes of a commit, that are gone through before it is asked whether others should have their turn. */
  commitStepEvents: 250,
  commitStepWrites: 1_000,
  /** Records of a commit are written into pieces of memory of this size. */
  commitChunkBytes: 64 * 1024,
  /** How far the preparation of a signed transaction may lie from its record time; the reference's default. */
  preparationTimeToleranceSeconds: 24 * 60 * 60,
  ledgerTimeToleranceSeconds: 60,
  /** Public keys of external parties that are kept as they were read. */
  publicKeysKeptMax: 1_000,
  /** Of an external party, as the reference has it. */
  signingKeysMax: 20,
  /** Whose delegations come with a namespace that they own together, as the reference has it. */
  namespaceOwnersMax: 10,
  /** That an onboarding brings: a delegation for each owner, what they own, the party's hosts and its keys; as many again may be beside the point. */
  onboardingTransactionsMax: 26,
  /** How far the clock may be behind the ledger's own time for commands to run by the latter. */
  clockBehindMaxSeconds: 24 * 60 * 60,
  // Engine
  /** Of a buffer that what is written as protobuf, or hashed, is put together in; one that a huge value made larger is given back. */
  writerBytesKeptMax: 4 * 1024 * 1024,
  /** Types of prepared transactions that are known as they are read, and as they are hashed. */
  knownTypeIdsMax: 1_000,
  interpretDeadlineMs: 15_000,
  /** How often packages are chosen for a command whose transaction uses others than were known; and what a command may ask for at most. */
  packageSelectionPasses: 3,
  packageSelectionPassesMax: 4,
  /** Choices of packages kept by the names that commands use; and about what all of them take. */
  packageSelectionsKeptMax: 1_000,
  packageSelectionBytesKeptMax: 16 * 1024 * 1024,
  /** One interface view; a slower one is told as failed. */
  viewDeadlineMs: 3_000,
  /** Who waits for a command that runs for longer goes to a reserve thread. */
  slowCommandMs: 250,
  /** A thread that did not begin with its task for as long, though it has loaded, is replaced; a collection of all its memory takes less. */
  threadStandsStillMs: 5_000,
  /** Engine threads: 126 may read the file at a time, others of the process and other processes among them. */
  workersMax: 100,
  /** Threads that stand in for those held by slow commands; each may take as much memory as an engine thread. */
  reserveThreadsMax: 2,
  reserveIdleMs: 30_000,
  /** How long an engine thread without commands prepares for them before it looks for one again; it may take a package longer. */
  warmSliceMs: 10,
  /** Definitions that a ledger remembers as used, so that a new thread compiles them first. Two flows of a wallet use 660. */
  usedDefinitionsMax: 10_000,
  usedDefinitionNodesMax: 10_000,
  usedDefinitionsBytesMax: 8 * 1024 * 1024,
  darDeadlineMs: 120_000,
  /** Of a DAR that an engine thread reads at the start, before it is asked for commands. */
  darBytesBeforeReadyMax: 2_097_152,
  darReaderIdleMs: 5_000,
  /** By how much the thread that reads DARs gives way, as the system counts it: beside one that always runs it still has a tenth of a core. */
  darReaderNice: 10,
  /** Entries of DARs that a thread knows again by their packed bytes; all public releases of Splice have 3,300 different ones. */
  darEntriesKnownMax: 10_000,
  /** Of payloads of packages that a thread read and nobody has stored, which take three times that; all that Splice released have 80 MB. */
  soundPackageBytesMax: 96 * 1024 * 1024,
  /** DARs that are known again by their hash, as the ids of their packages. */
  readDarsKeptMax: 200,
  /** Hashing copies the bytes on the main thread first; larger ones are read again. */
  readDarBytesMax: 8 * 1024 * 1024,
  /** Submissions that travel to a worker in one message. */
  interpretBatchMax: 128,
  /** Threads that a submission may lose, by no fault that is known, before it is refused. */
  threadsLostMax: 1,
  /** Messages that an engine thread answers before it comes to its timers. */
  messagesBetweenTurns: 1_000,
  stepsMax: 500_000_000,
  allocationMax: 200_000_000,
  textBytesMax: 16 * 1024 * 1024,
  collectionEntriesMax: 1_000_000,
  /** Values that calls of one function by itself may put aside until the inner call is done; other recursions have the stack. */
  recursionDepthMax: 10_000_000,
  transactionNodesMax: 100_000,
  /** Pairs of package versions that are known to be upgrades. */
  upgradesKeptMax: 100_000,
  /** Combinations of packages in one transaction for which an engine thread keeps what they all refer to. */
  usedPackagesKeptMax: 1_000,
  /** About what the values of one transaction take when they are written down: in memory they may share their parts. */
  transactionBytesMax: 64 * 1024 * 1024,
  valueNestingMax: 100,
  /** Types that one type is made of, where it is described for those outside of the engine; the largest of Amulet has 200. */
  describedTypesMax: 5_000,
  /** Of the JSON that describes one package; that of Amulet has 0.4 million. */
  describedPackageCharsMax: 32 * 1024 * 1024,
  /** Of the text that tells how a prepared transaction was hashed: four to seven for each byte of the transaction. */
  hashingDetailsCharsMax: 16 * 1024 * 1024,
  /** Packages of one page of their listing; and names of templates and interfaces, after which a page ends. */
  packagesPageElementsMax: 1_000,
  /** Bytes of packages that one commit stores; a larger package lies in parts. Sixteen pages of the file, but for what a record has beside. */
  packageBytesPerCommit: 16 * 8192 - 64,
  packagesPageNamesMax: 20_000,
  /**
   * Expression nodes of one definition, counted as compiled: interned expressions are shared, so a small archive can unfold to a huge one.
   */
  definitionNodesMax: 1_000_000,
  /** Parameters of one function, and fields of one struct, whose class takes them as parameters; V8 has room for 65,534. */
  functionParametersMax: 60_000,
  /** Open choices that the trace of a model's failure names; the reference's default. */
  exerciseTraceChoicesMax: 10,
  /** Exceptions of a view whose messages throw the next one; the reference goes on for ever with one that throws itself. */
  replacedExceptionsMax: 1_000,
  workerStackMb: 256,
  workerOldGenerationMb: 2_048,
  /** Of it, what a thread keeps from one task to the next: above it constants of packages are forgotten, as others need the memory. */
  workerKeptShareMax: 0.25,
  /** Where more is kept all the same: as often as much before it is looked through again. */
  workerKeptGrowthMin: 1.5,
  /** After a task of as long it is looked at how much is kept; to look takes a microsecond, and a shorter task cannot leave much. */
  workerKeptAfterMs: 1,
  /** So many more than were left may become old at a busy node before V8 looks at all of them; each thread's memory grows with it. */
  oldObjectsMorePercent: 100,
  workerYoungGenerationMb: 192,
  /** Of it, what a thread keeps whatever it does; what is more is given back, not before as much time has passed since the last time. */
  youngSpaceKeptBytes: 40 * 1024 * 1024,
  youngSpaceKeptMs: 60_000,
  /** The same of a busy thread, as others wait 50 ms for the collection: one that only creates needs minutes to grow beyond it. */
  youngSpaceKeptBusyBytes: 100 * 1024 * 1024,
  /** Of a thread's time that its tasks take: above it the thread is busy; some 400 creates a second. */
  busyShareMin: 0.02,
  // Registry, Scan
  /** Types of values that are kept; Amulet's templates and choices have about 300. */
  valueTypesKeptMax: 5_000,
  /** Contracts that automation takes into one transaction, or looks at in one turn of a trigger. */
  automationContractsMax: 100,
  /** In ledger time, between two looks at everything that expires. */
  automationRestSeconds: 30,
  /** The same at all wallets, while no round begins to issue: half a tick, as none issues sooner than a tick after it is summed up. */
  rewardsRestSeconds: 300,
  /** Between two looks at what is due, while the ledger is busy. */
  automationIntervalMs: 200,
  /** Without news. */
  automationIdleMs: 30_000,
  /** Tasks of one trigger in one turn. */
  automationTasksMax: 20,
  /** How often a batch that is refused is halved in one turn: seven times leave one of a hundred behind. What is left then waits. */
  automationHalvingsMax: 20,
  /** So many times as long as a trigger looked and found nothing to do it does not look again, unless somebody waits for what is due. */
  automationSparingMin: 9,
  /** How often in a row one task is done without a pause. */
  automationRepeatsMax: 50,
  /** Until what failed is tried again; it doubles each time, up to the second. */
  automationRetryMs: 1_000,
  automationRetryMaxMs: 60_000,
  /** Until the start of a node, or a move of static time, is answered though automation is not done. */
  automationSettleMs: 30_000,
  /** So long a step of time waits for what is due before it. */
  timeStepWaitMs: 5_000,
  /** In ledger time, between two looks at all Amulet that there is. */
  expiredAmuletsRestSeconds: 3_600,
  /** How often a validator's license is told that it is there. */
  validatorReportedHours: 1,
  /** How long automation leaves alone what was locked until a time that is over. */
  expiredKeptHours: 24,
  /** How long automation leaves what a wallet is to pay to it: an accepted offer, a request for traffic. */
  paymentLeftToWalletSeconds: 5,
  /** How long the oldest marker of an app's activity waits for others, to become a coupon with them. */
  activityMarkersGatherSeconds: 30,
  /** What a validator promises when it accepts, and when it promises it again. */
  preapprovalLifetimeDays: 90,
  preapprovalRenewedBeforeDays: 30,
  /** Payments from what one party holds that stand in line, the one that is made among them; the same of changes of one user's wallet. */
  walletLineMax: 100,
  /** Of each template, the oldest, in a list of a wallet or validator that has no pages: Splice's. */
  walletListContractsMax: 1_000,
  /** Of all wallets together, holdings that are known where they are gone through; as many that are locked: some 400 bytes each. */
  walletAmuletsKnownMax: 50_000,
  /** How long what a client of a wallet gave an id is not done a second time: Splice's. */
  walletDeduplicationSeconds: 86_400,
  /** How long an allocation of the second generation is not made a second time: Splice's; behind it one that was withdrawn is made anew. */
  allocationDeduplicationSeconds: 300,
  /** How often a payment is made when others took contracts that it needed. */
  paymentAttemptsMax: 5,
  /** Of a folder with the packages of a network; Splice's own has one for each release of each of them, 207 by August 2026. */
  folderDarsMax: 1_000,
  scanPageElementsMax: 1_000,
  /**
   * What Scan tells of events and, again so much, of holdings, as it was printed, in files beside the ledger: the newest. An event of a
   * small transaction has 2 to 3 kB.
   */
  scanPrintedBytesMax: 4 * 1024 ** 3,
  /** Of one file; it is removed as a whole. */
  scanPrintedSegmentBytes: 64 * 1024 * 1024,
  /** Without so much room on the disk no file is begun. */
  scanPrintedFreeBytesMin: 1024 ** 3,
  /** Memory of pages that is kept for the next ones, once for what is read and once for what is sent. */
  scanSpareBytesMax: 16 * 1024 * 1024,
  /** Printed in one step. */
  scanPrintedStepOffsets: 32,
  /** Of a page, copied in one step. */
  scanCopiedPieceBytes: 256 * 1024,
  /** Behind a step that took a millisecond printing rests for so many, while there is more to print. */
  scanPrintedRestFactor: 3,
  /** For new events to gather; and without news. */
  scanPrintedIntervalMs: 100,
  scanPrintedIdleMs: 60_000,
  /** Offsets that who asks for the newest events waits for; where more are to be printed he gets his page without them. */
  scanPrintedBehindMax: 4_096,
  /** Pages of snapshots that are kept; one of 1,000 holdings has about 1 MB. */
  scanPagesKeptBytes: 32 * 1024 * 1024,
  /** Those that were read once and are kept when they are read again, by their keys. */
  scanPagesReadOnceMax: 1_000,
  /** Of a template whose contracts are looked for by a key of their payloads, those that are known by it: some 500 bytes each. */
  keyedContractsKnownMax: 100_000,
  /** Of transactions that external parties signed, those that are found at once by their hashes: 12 bytes each. */
  signedTransactionsKeptMax: 4 * 1_024 * 1_024,
  /** Of events about offers and requests for traffic, once for each party that sees one, those that are found at once: 12 bytes each. */
  trackedEventsKeptMax: 1_024 * 1_024,
  /** How far back transfer commands are looked for, and how many of one number are told of. */
  transferCommandsSearchedSeconds: 24 * 3_600,
  transferCommandsMax: 100,
  holdingsSummaryContractsMax: 1_000,
  settlementAllocationsMax: 100,
  settlementLegsMax: 100,
  settlementPartiesMax: 100,
  acsSnapshotIntervalSeconds: 3 * 3_600, // divides a day
  /** Of those that were asked for; the oldest are forgotten. */
  acsSnapshotsForcedMax: 1_000,
  // DAR
  darEntryBytesMax: 256 * 1024 * 1024,
  darTotalBytesMax: 512 * 1024 * 1024,
  darEntriesMax: 10_000,
  /** Unpacked bytes per packed byte of one entry; real DARs stay below 20. */
  darInflationMax: 200,
  /** Trees of an archive as if nothing were shared: what later passes walk. */
  lfTypeDepthMax: 1_000, // kinds too
  lfTypeNodesMax: 1_000_000,
  lfExprDepthMax: 5_000,
  lfExprNodesMax: 1_000_000,
  /** Elements of one list in an archive; the longest seen in a real one has 53,000. */
  lfListElementsMax: 1_000_000,
  /** Times that a message of an archive, or one around it, may be continued by a later part; no encoder ever does that. */
  lfMessageMergesMax: 16,
  /** Nodes of types and expressions that the type checker may walk for one upload; the largest real DAR needs 7 million. */
  packageCheckStepsMax: 100_000_000,
  // Store
  /** Each has a set of tables of its own in the file. */
  participantsMax: 8,
  mapSizeBytes: 1024 ** 4, // virtual address space only
  /** The same, and what V8 takes beside it for its heaps and WebAssembly. */
  addressSpaceBytesMin: 1024 ** 4 + 64 * 1024 ** 3,
  /** Of commits that the file has not got; half of it is what waits at most. */
  journalBytes: 2 * 1024 * 1024,
  /** Of one commit that goes there first. */
  journalSubmissionsMax: 64,
  /** The file gets them so much later at most, where nobody waits for that, or once they are so many, or have so many writes. */
  journalDelayMs: 50,
  journalCommitsMax: 64,
  journalWritesMax: 1_500,
  /** For so long after somebody waited for that the next ones go there at once. */
  journalAtOnceMs: 200,
  pageSizeBytes: 8192,
  staleReadersIntervalMs: 60_000,
  /** So long a node is not ready whose storage refused a commit, unless it took another since. */
  refusedCommitToldMs: 15_000,
  /** So often it is tried to write what a full disk had no room for at the start. */
  owedWritesIntervalMs: 500,
  /** Whether the file still is where it was opened: so long what is written to one that was removed is acknowledged. */
  fileLookIntervalMs: 250,
  /** Kept for what removes when the disk is full: as much as the file, within these bounds; and how often it is looked after. */
  reserveBytesMin: 2 * 1024 * 1024,
  reserveBytesMax: 64 * 1024 * 1024,
  reserveIntervalMs: 1_000,
  /** With so much free at the start nobody waits for the reserve before commands are acknowledged ahead of the file. */
  ampleRoomBytes: 256 * 1024 * 1024,
  /** Free beside the reserve: with less than the first a disk is full, until the second is there. */
  storageRoomBytesMin: 1024 * 1024,
  storageRoomBytesAgain: 2 * 1024 * 1024,
  /** A larger file is gone through while it is served from: before, a start looks only at what says where all is. */
  startCheckBytesMax: 512 * 1024 ** 2,
  /** Of a larger file the check leaves the leaves of the log to those who read them. */
  startCheckLogBytesMax: 2 * 1024 ** 3,
  /** What LMDB refuses it says at once, and why a moment later. */
  storageCauseWaitMs: 1_000,
  /** Looks at what says where all is, which somebody may be writing meanwhile. */
  metaReadsMax: 3,
  /** Lines of `verify` about what is wrong. */
  verifyFindingsMax: 50,
  /** Between lines that say how far `verify` is. */
  verifyProgressMs: 2_000,
  // Pruning
  pruningDeadlineMs: 600_000, // of the request; the pruning itself goes on
  /** What one commit removes, so that submissions come between. */
  pruningOffsetsPerCommit: 200,
  pruningEventsPerCommit: 2_000,
  pruningAcceptancesPerCommit: 2_000,
  // Tokens
  tokenCharsMax: 8_192, // the reference refuses longer headers
  tokenKeyIdCharsMax: 256,
  tokenLifeMaxSeconds: 300, // counted from now to exp
  tokenLeewaySeconds: 0,
  verifiedTokensMax: 1_000,
  callersMax: 1_000,
  keySetBytesMax: 64 * 1024,
  keySetTimeoutMs: 5_000,
  /** Up to this age a set is used as it is; an older one is fetched anew beside its use. */
  keySetFreshMs: 5 * 60_000,
  /** One of this age waits for a newer one, as keys may have been withdrawn since. */
  keySetAgeMaxMs: 10 * 60_000,
  /** As long as its server gives no newer one: a restart of it locks nobody out, and withdrawn keys end nevertheless. */
  keySetAgeUnansweredMaxMs: 30 * 60_000,
  /** An unknown key id or an unreachable server cannot make us ask more often. */
  keySetIntervalMs: 10_000,
  keySetsMax: 32,
  /** How often running streams are held against their token and their user's rights. */
  streamAuthorizationIntervalMs: 1_000,
  /** The look, of each so many, at which new rights alone end one: the reference's five seconds. */
  streamNewRightsLooks: 5,
  /** How long a request's body may take after its head without its caller being judged again. */
  admittedMaxMs: 1_000,
  /** Lines of the log about refused requests in each interval; those left out are counted. */
  refusalLinesMax: 50,
  refusalIntervalMs: 10_000,
  /** Lines of the log that stay in memory for those who ask the node for them, and how much of each text in them. */
  logLinesKept: 400,
  logTextCharsKept: 1_000,
  /** Once, for a reader of the log that is slow: nothing else goes on meanwhile. */
  logWaitMs: 100,
  logWaitStepMs: 5,
  /** What is told of delays of the main thread reaches back so far, and at least half of it. */
  eventLoopDelayWindowMs: 60_000,
  /** What is older, has the name of a folder that is being made, and nobody's lock, was left by a process that died at it. */
  folderUnlockedMs: 60_000,
  /** Until the process that has just locked a folder tells which one it is. */
  lockHolderWaitMs: 2_000,
  lockHolderStepMs: 10,
  // Traces
  /** Spans that wait for the collector; more are dropped. One takes about 500 bytes. */
  spansWaitingMax: 8_192,
  /** Written down in one turn. */
  spansPerExportMax: 512,
  spanExportIntervalMs: 1_000,
  spanExportTimeoutMs: 5_000,
  spanExportReplyBytesMax: 64 * 1024,
  /** What a stop waits for the collector. */
  spanExportStopMs: 1_000,
  // Errors
  /** JSON of commands of a refused submission in which names of packages are still looked for, which reads it at once; of longer ones the fault that was met is told. */
  namingCommandsCharsMax: 256 * 1024,
  /**
   * What a model says when it fails is for its user, so it is told whole up to what the reference lets a whole status be
   * (ErrorCode.MaxErrorContentBytes); of causes it sends 512. A model may fail with a text of many megabytes.
   */
  errorCauseCharsMax: 4_096,
  errorDetailCharsMax: 4_096,
  /** Of all entries of a context together, and how many a model may add. */
  errorContextCharsMax: 16_384,
  errorMetadataEntriesMax: 100,
  /** Of a key that a model gives, as the reference has it (SerializableErrorCodeComponents.truncateContext). */
  errorMetadataKeyCharsMax: 63,
  /** As gRPC tells it, what the reference lets a status and its cause be: clients take 8 KiB of metadata. */
  grpcStatusBytesMax: 4_096,
  grpcCauseCharsMax: 512,
  /** Of an id of a request or a trace. */
  grpcIdCharsMax: 256,
  // Administration
  participantNameCharsMax: 185, // as long as a party's hint
  synchronizerNameCharsMax: 64,
  annotationsBytesMax: 256 * 1024, // of all keys and values in UTF-8
  selfAllocatedPartiesMax: 0, // the reference's default: nobody allocates for himself
  // Scripts
  scriptTimeMs: 60_000, // the reference's default
  /** Each has a heap of its own. */
  scriptThreadsMax: 100,
  /** A thread that does not answer so long after the script's time is over is stopped from outside. */
  scriptGraceMs: 10_000,
  /** The longest sleep of a script that may take any time; timers end at 24 days. */
  scriptSleepMaxMs: 86_400_000,
  /** How long a script waits for an answer of a node. */
  scriptNodeAnswerMs: 120_000,
  /** How often a node is asked whether a party that it allocated may submit, and how long after each other: the reference's. */
  scriptPartyAttemptsMax: 5,
  scriptPartyRetryMs: 200,
  /** Of one script on a ledger in memory. */
  scriptContractsMax: 100_000,
  scriptStepsMax: 100_000,
  scriptTraceLinesMax: 1_000,
  scriptTraceCharsMax: 10_000,
  scriptWatchIntervalMs: 50,
  /** Of the JSON of an argument; the reference's. */
  scriptInputDepthMax: 1_000,
  /** Of one value that a report shows. */
  scriptValueCharsMax: 4_000,
  /**
   * Packages that a run keeps from DAR to DAR and from build to build, each of its threads with their compiled code; with more it begins
   * anew.
   */
  scriptPackagesKeptMax: 300,
  /** Of the steps and active contracts of a ledger that a report shows, the last ones. */
  scriptShownNodesMax: 5_000,
  scriptShownContractsMax: 1_000,
  /** A shown value that is wider takes several lines. */
  scriptLineCharsMax: 100,
  // Looking at a start, and at a node
  /** Room on the disk for the files of a start that is rehearsed. */
  doctorRehearsalBytes: 256 * 1024 ** 2,
  /** What a node takes when it works, and each of its engine threads: see the figures of the page on metrics. */
  doctorNodeMegabytes: 200,
  doctorThreadMegabytes: 100,
  /** With less than these it warns. */
  doctorOpenFilesMin: 10_000,
  doctorCertificateDaysMin: 30,
  /** Until a node says whether it is ready, and how much of what it says is read. */
  doctorAnswerMs: 5_000,
  doctorAnswerCharsMax: 64 * 1024,
  // Packaging
  /** Of the start and the command whose compiled code is kept, on a machine that has much else to do. */
  codeRunMaxMs: 60_000,
  // Shutdown
  /** For engine threads that are just starting; one that runs a command is not waited for longer. */
  workerLoadMaxMs: 5_000,
  drainMs: 5_000,
  /** Until a node that cannot go on with its ledger is gone, whatever is still under way. */
  stopAtOnceMs: 5_000,
  /** A second signal in this time is the first one again: a terminal sends it to every process, and npm hands its own on. */
  sameSignalMs: 1_500,
} as const;

/** The secret of LocalNet's tokens. It stands in public documentation: whoever wants a token signs one. */
export const publishedSecret = "unsafe";

/** The user whose primary party operates the validator, as in LocalNet. */
export const validatorUserDefault = "ledger-api-user";

/**
 * The release of Splice whose servers this node speaks as, as they tell it; its own version is on the command line and in the logs. The
 * time is that of the last change in its published sources.
 */
export const spliceRelease = { version: "0.7.4", commitTime: "2026-08-19T19:00:49Z" } as const;

/** What a node is called that was given no name. */
export const participantNameDefault = "ledgerline";
/**
 * The same of a LocalNet, where the ids of all sites' participants begin with it: scripts take what stands behind it as the namespace of
 * parties.
 */
export const localnetParticipantNameDefault = "participant";
export const synchronizerNameDefault = "synchronizer-1";

export type Limits = { readonly [K in keyof typeof limits]: number };
