import type { Limits } from "../../config.js";

/** The bounds that a server works under, from `config.ts` unless a test hands in smaller ones. */
export type GrpcLimits = Pick<
  Limits,
  | "bodiesBytesMax"
  | "bodyBytesPerSecondMin"
  | "drainSettleMs"
  | "lingerMs"
  | "stallMs"
  | "streamBufferedBytesMax"
  | "webSocketStallMs"
  | "grpcHealthIntervalMs"
  | "grpcIdleMs"
  | "grpcKeepAliveAnswerMs"
  | "grpcKeepAliveMs"
  | "grpcMetadataBytesMax"
  | "grpcPieceBytes"
  | "grpcReadBytes"
  | "grpcReadMs"
  | "grpcNameBytesMax"
  | "grpcStreamsPerConnectionMax"
  | "grpcTakenBytesPerSecondMin"
>;
