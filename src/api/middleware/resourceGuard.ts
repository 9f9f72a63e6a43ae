// The guard of an endpoint (developer-api.md 2.3): the resource that its path names, and the grant that its handler reads.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { type Access, type AccessGrant, decide } from "../../domain/accounts/Access.ts"
import { factsOfResource, type ResolvedCaller } from "../../domain/accounts/callerFacts.ts"
import type { Resource } from "../../domain/accounts/resourceFacts.ts"
import { InvalidRequestUrl } from "../../platform/primitives/errors.ts"
import { type Guard, guardedParam, type Requirement } from "./Requires.ts"

const noGrant = new Proxy({} as AccessGrant, {
  get: (_, member) => {
    throw new Error(`this endpoint declares no guard, so there is no grant to read ${String(member)} from`)
  }
})

/** The resource of a guard among parameters by name; `undefined` where they have something else in its place. */
export const resourceAmong = (guard: Guard, params: Readonly<Record<string, unknown>>): Resource | undefined => {
  const text = String(params[guardedParam(guard)] ?? "")
  return /^\d+$/.test(text) ? { kind: guard.kind, id: Number(text) } : undefined
}

export const guardedResource = (guard: Guard) =>
  Effect.map(HttpRouter.RouteContext, ({ params }) => resourceAmong(guard, params))

type Refused = InvalidRequestUrl | Effect.Error<ReturnType<typeof decide>>

/** The grant of the endpoint's guard, from what came with the credential where it came with one. */
export const granted = (access: Access["Service"], caller: ResolvedCaller, { guard }: Requirement) =>
  guard === undefined
    ? Effect.succeed(noGrant)
    : Effect.flatMap(guardedResource(guard), (resource): Effect.Effect<AccessGrant, Refused> => {
        if (resource === undefined)
          return Effect.fail(new InvalidRequestUrl({ message: `${guardedParam(guard)}: expected a positive integer.` }))
        const facts = factsOfResource(caller, resource)
        return facts === undefined
          ? access.check(caller, resource.kind, resource.id, guard.level, guard.hide)
          : decide(caller, resource, facts, guard.level, guard.hide)
      })
