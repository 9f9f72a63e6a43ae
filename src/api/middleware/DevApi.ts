// The one middleware of every Developer API group: developer-api.md 1.5 order of checks, 1.6 rate limit, 1.8 idempotency.
import { HttpApiMiddleware } from "effect/http-api"
import type { Granted } from "../../domain/accounts/Access.ts"
import type { Caller } from "../../domain/accounts/Caller.ts"

export class DevApi extends HttpApiMiddleware.Service<DevApi, { provides: Caller | Granted }>()(
  "millrace/http/DevApi"
) {}
