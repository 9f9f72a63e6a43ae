// The description of the API as text. Making it takes half a second of computing: the programs that are started hold the text that was made
// when they were put together (bin/parts/build.js).
import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

export const descriptionText = (): string => JSON.stringify(OpenApi.fromApi(Api))
