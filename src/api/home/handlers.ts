// Translates the first look between HTTP and its service.
import { Effect } from "effect"
import { Caller } from "../../domain/accounts/Caller.ts"
import { Home } from "../../domain/home/Home.ts"
import { group } from "../middleware/requestContext.ts"
import { HomeApi } from "./Api.ts"

export const HomeHandlers = group(
  HomeApi,
  Effect.fnUntraced(function* (handlers) {
    const home = yield* Home
    return handlers.handleAll({ summary: () => Effect.flatMap(Caller, home.summary) })
  })
)
