// Translates a search between HTTP and its service.
import { Effect } from "effect"
import { Caller } from "../../domain/accounts/Caller.ts"
import { Search } from "../../domain/search/Search.ts"
import { type SearchKind, searchKinds } from "../../domain/search/searchSchemas.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { group } from "../middleware/requestContext.ts"
import { SearchApi } from "./Api.ts"

const LIMIT = 20

const kindsIn = (sent: string | undefined): Effect.Effect<ReadonlyArray<SearchKind>, ValidationError> => {
  if (sent === undefined || sent === "") return Effect.succeed(searchKinds)
  const names = sent.split(",")
  const stray = names.find((name) => !searchKinds.some((kind) => kind === name))
  return stray === undefined
    ? Effect.succeed(searchKinds.filter((kind) => names.includes(kind)))
    : Effect.fail(
        new ValidationError({ message: `kinds: ${JSON.stringify(stray)} is none of ${searchKinds.join(", ")}.` })
      )
}

export const SearchHandlers = group(
  SearchApi,
  Effect.fnUntraced(function* (handlers) {
    const search = yield* Search
    return handlers.handleAll({
      find: Effect.fnUntraced(function* ({ query: { app_id, cursor, kinds, limit = LIMIT, q, workspace_id } }) {
        return yield* search.find(yield* Caller, {
          q,
          limit,
          kinds: yield* kindsIn(kinds),
          ...(app_id === undefined ? {} : { appId: app_id }),
          ...(workspace_id === undefined ? {} : { workspaceId: workspace_id }),
          ...(cursor === undefined ? {} : { cursor })
        })
      })
    })
  })
)
