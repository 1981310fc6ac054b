/** What the registry is asked with. */
import { jsonBody } from "../body.js";
import type { GetChoiceContextRequest, GetFactoryRequest } from "./types.js";

export const contextBody = jsonBody(typia.createValidate<GetChoiceContextRequest>(), typia.createAssert<GetChoiceContextRequest>());
export const factoryBody = jsonBody(typia.createValidate<GetFactoryRequest>(), typia.createAssert<GetFactoryRequest>());
