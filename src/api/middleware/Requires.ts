// Annotates an endpoint of the Developer API with its requirements: the scope (developer-api.md 2.4), the credits (1.6) and the resource
// named in the path with the level needed on it (2.3). The middleware checks them in the order of 1.5.
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Level } from "../../domain/accounts/Access.ts"
import type { ResourceKind } from "../../domain/accounts/resourceFacts.ts"
import type { Scope, scopes } from "../../domain/accounts/Scope.ts"

/** Resources that the endpoints of a scope name in their paths; never, for a scope of the whole organization. */
type Named<S extends Scope> = (typeof scopes)[S]["names"][number]

/** The path holds the id as `<kind>_id`. */
export interface Guard<Kind extends ResourceKind = ResourceKind> {
  readonly kind: Kind
  /** 1 view, 2 comment, 3 edit, 4 share, 5 full (workspace admin); 0: to be visible is enough. */
  readonly level: Level
  /** Answer 404 instead of 403 where the level is missing (developer-api.md 7). */
  readonly hide?: boolean
}

/**
 * Reason why no guard is needed. `filtered`: the answer holds only what the caller may see. `new`: what is made lies in nothing yet. Else
 * the service checks the role in the organization, what the body names, or what an id of another kind leads to.
 */
type Unguarded = "filtered" | "new" | "of the organization" | "named in the body" | "behind another id"

interface Asks {
  /** Multiple of the base cost, a row of `costs` (./cost.ts); 1 unless given. */
  readonly cost?: number
  /** Added for every 100 MB of the request's size (file upload). */
  readonly costPer100Megabytes?: number
  /** Only a bearer credential is accepted (GET /v1/user). */
  readonly bearerOnly?: boolean
  /** The caller is wanted with what `GET /v1/user` shows of it: a change shows its author. */
  readonly profile?: boolean
  /** The answer waits for somebody outside: with an `Idempotency-Key` too no transaction keeps a connection and locks meanwhile. */
  readonly outside?: boolean
  /** A read that the audit log holds: an export (decisions P14). */
  readonly recorded?: boolean
  /** None counts as an empty one. */
  readonly bodyOptional?: boolean
  /** The host in the body that the handler looks up, as in `URL.hostname`: before the transaction that an `Idempotency-Key` brings. */
  readonly looksUp?: (body: unknown) => string | undefined
}

/** A scope comes with its guard, or with the reason why it needs none. */
type Scoped = {
  [S in Scope]: [Named<S>] extends [never]
    ? { readonly scope: S; readonly guard?: undefined }
    :
        | { readonly scope: S; readonly guard: Guard<Named<S>> }
        | { readonly scope: S; readonly unguarded: Unguarded; readonly guard?: undefined }
}[Scope]

export type Requirement = Asks & (Scoped | { readonly scope?: undefined; readonly guard?: undefined })

export const Requires = Context.Reference<Requirement>("millrace/http/Requires", { defaultValue: () => ({}) })

/** The name of the path parameter that a guard reads. */
export const guardedParam = ({ kind }: Guard) => `${kind}_id` as const

type Holding<R> = R extends { readonly guard: Guard<infer Kind> } ? `${string}/:${Kind}_id${string}` : string

/** Lays the requirement on an endpoint, whose path holds what the guard reads. */
export const requires =
  <const R extends Requirement>(requirement: R) =>
  <E extends { readonly path: Holding<R> }>(endpoint: E): E =>
    (endpoint as unknown as HttpApiEndpoint.Top).annotate(Requires, requirement) as unknown as E
