/** A gRPC server: moves the bytes of messages between clients and handlers, tells its health and describes what it serves. */
export { openGrpcServer, type GrpcServer, type GrpcServerOptions } from "./server.js";
