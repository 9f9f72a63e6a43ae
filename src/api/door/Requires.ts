// What an endpoint of the Developer API asks of its caller, as an annotation: the scope (developer-api.md 2.4), the credits
// (1.6) and the resource named in the path with the level needed on it (2.3). The middleware checks them in the order of 1.5.
import { Context } from "effect"
import type { Level, ResourceKind } from "../../domain/accounts/Access.ts"
import type { Scope } from "../../domain/accounts/Scope.ts"

export interface Guard {
  readonly kind: ResourceKind
  /** Path parameter that holds the id, for example `app_id`. */
  readonly param: string
  /** 1 view, 2 comment, 3 edit, 4 share, 5 full (workspace admin); 0: to be visible is enough. */
  readonly level: Level
  /** Answer 404 instead of 403 where the level is missing (developer-api.md 7). */
  readonly hide?: boolean
}

export interface Requirement {
  readonly scope?: Scope
  /** Multiple of the base cost; 1 unless given. */
  readonly cost?: number
  /** Added for every 100 MB of the request's size (file upload). */
  readonly costPer100Megabytes?: number
  readonly guard?: Guard
  /** Only a bearer credential is accepted (GET /v1/user). */
  readonly bearerOnly?: boolean
  /** The caller is wanted with what `GET /v1/user` shows of it. */
  readonly profile?: boolean
}

export const Requires = Context.Reference<Requirement>("millrace/http/Requires", { defaultValue: () => ({}) })
