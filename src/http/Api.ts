// The sum of all rooms' endpoints; OpenAPI is made from it.
import { HttpApi } from "effect/http-api"
import { AccountsApi, WorkspacesApi } from "../accounts/Api.ts"
import { openApi } from "./openapi.ts"

const Rooms = HttpApi.make("millrace").add(AccountsApi).add(WorkspacesApi)

/** Bodies are closed (developer-api.md 1.1): a stray key is an error, and every problem is named at once. */
export class Api extends Rooms.annotateMerge(openApi(Rooms.groups)).annotate(HttpApi.PayloadParseOptions, {
  onExcessProperty: "error",
  errors: "all"
}) {}
