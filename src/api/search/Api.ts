// Search over HTTP (developer-api.md 11.1).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { QUERY_AT_MOST } from "../../domain/search/searchQuery.ts"
import { SearchPage } from "../../domain/search/searchSchemas.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

export class SearchApi extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("find", "/v1/search", {
      query: {
        q: Schema.String.check(Schema.isBetweenLength(1, QUERY_AT_MOST)),
        app_id: Schema.optionalKey(Id),
        workspace_id: Schema.optionalKey(Id),
        kinds: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))),
        cursor: Schema.optionalKey(Schema.String)
      },
      success: SearchPage,
      error: fails("ValidationError")
    }).pipe(
      requires({}),
      withSummary(
        "Search",
        'Finds things of `kinds` (`record`, `comment` with its replies, `automation`, `app`, by commas) by their words, best first: only what the caller may see, as far as the scopes `records:read`, `records.comments:read`, `automations:read` and `apps:read` reach. All words must occur, by prefix, without case and accents; `"quoted"` is a phrase. Of many matches of a kind the newest 300 are ranked.'
      )
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Search", "Finding things by their words.")) {}
