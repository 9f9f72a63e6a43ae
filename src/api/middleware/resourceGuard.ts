// The guard of an endpoint (developer-api.md 2.3): the resource that its path names, and the grant that its handler reads.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { type Access, type AccessGrant, decide } from "../../domain/accounts/Access.ts"
import type { ResolvedCaller } from "../../domain/accounts/CallerWants.ts"
import type { Resource } from "../../domain/accounts/resourceFacts.ts"
import { InvalidRequestUrl } from "../../platform/primitives/errors.ts"
import { type Guard, guardedParam, type Requirement } from "./Requires.ts"

const noGrant = new Proxy({} as AccessGrant, {
  get: (_, member) => {
    throw new Error(`this endpoint declares no guard, so there is no grant to read ${String(member)} from`)
  }
})

/** `undefined` where the path has something else in its place. */
export const guardedResource = (guard: Guard) =>
  Effect.map(HttpRouter.RouteContext, ({ params }): Resource | undefined => {
    const text = params[guardedParam(guard)] ?? ""
    return /^\d+$/.test(text) ? { kind: guard.kind, id: Number(text) } : undefined
  })

type Refused = InvalidRequestUrl | Effect.Error<ReturnType<typeof decide>>

/** The grant of the endpoint's guard, from what came with the credential where it came with one. */
export const granted = (access: Access["Service"], caller: ResolvedCaller, { guard }: Requirement) =>
  guard === undefined
    ? Effect.succeed(noGrant)
    : Effect.flatMap(guardedResource(guard), (resource): Effect.Effect<AccessGrant, Refused> => {
        if (resource === undefined)
          return Effect.fail(new InvalidRequestUrl({ message: `${guardedParam(guard)}: expected a positive integer.` }))
        return caller.facts === undefined
          ? access.check(caller, resource.kind, resource.id, guard.level, guard.hide)
          : decide(caller, resource, caller.facts, guard.level, guard.hide)
      })
