// Prepares schema and rights before the service works (issue "isolation"). Three setups: the embedded Postgres, by its superuser, who makes
// the roles; a Postgres with an owner's address besides the service's; and one with a single role, which does everything.
import { Config, Console, Effect, Option, Redacted, Schema } from "effect"
import { withSettingFiles } from "../config/settingFiles.ts"
import { runLater } from "./laterChanges.ts"
import { laterList } from "./laterList.ts"
import { migrate } from "./Migrator.ts"
import { layerPool } from "./Pool.ts"
import { grantTo } from "./roleGrants.ts"
import { makeRoles, OWNER } from "./roles.ts"
import { Sql } from "./Sql.ts"

/** Pool of one connection, so that `SET ROLE` holds for all that follows. */
const onePool = (url: Redacted.Redacted) => layerPool({ url, maxConnections: 1, applicationName: "millrace-migrate" })

/** Error of an address that cannot be read; the address may hold a password, so it is not shown. */
class AddressInvalid extends Schema.TaggedError<AddressInvalid>()("AddressInvalid", { name: Schema.String }) {
  override get message() {
    return `${this.name} must be postgres://user:password@host:5432/database.`
  }
}

const whoIn = (name: string, url: Redacted.Redacted) => {
  const parsedUrl = URL.parse(Redacted.value(url))
  if (parsedUrl === null || parsedUrl.username === "") return Effect.fail(new AddressInvalid({ name }))
  return Effect.try({
    try: () => ({ name: decodeURIComponent(parsedUrl.username), password: decodeURIComponent(parsedUrl.password) }),
    catch: () => new AddressInvalid({ name })
  })
}

/** Prepares the embedded Postgres: roles as its superuser, everything else as the owner. */
export const prepareEmbedded = Effect.fnUntraced(function* (superuser: Redacted.Redacted, service: Redacted.Redacted) {
  const who = yield* whoIn("DATABASE_URL", service)
  const work = Effect.gen(function* () {
    const sql = yield* Sql
    yield* makeRoles(who)
    yield* sql.unsafe(`SET ROLE ${OWNER}`)
    const appliedMigrations = yield* migrate
    yield* grantTo(who.name)
    return appliedMigrations
  })
  return yield* work.pipe(Effect.provide(onePool(superuser)))
})

/** Prepares a Postgres whose schema one role owns and another works on; or one role for both. */
export const prepareOwned = Effect.fnUntraced(function* (owner: Redacted.Redacted, service: Redacted.Redacted) {
  if (Redacted.value(owner) === Redacted.value(service)) return yield* migrate.pipe(Effect.provide(onePool(owner)))
  const { name } = yield* whoIn("DATABASE_URL", service)
  const { name: own } = yield* whoIn("DATABASE_OWNER_URL", owner)
  const work = name === own ? migrate : Effect.tap(migrate, () => grantTo(name))
  return yield* work.pipe(Effect.provide(onePool(owner)))
})

const addresses = withSettingFiles(
  Effect.gen(function* () {
    const service = yield* Config.Redacted("DATABASE_URL")
    const superuser = yield* Config.option(Config.Redacted("DATABASE_SUPERUSER_URL"))
    // Uses the direct address: a pooler in transaction mode would lose what a session keeps, locks and the role.
    const direct = yield* Config.Redacted("DATABASE_DIRECT_URL").pipe(Config.withDefault(service))
    const owner = yield* Config.Redacted("DATABASE_OWNER_URL").pipe(Config.withDefault(direct))
    return { service, superuser, owner }
  })
)

/** Runs the later changes as the owner; each step is reported. */
const later = (url: Redacted.Redacted, as: { readonly role?: string } = {}) =>
  runLater(laterList, Console.error).pipe(
    Effect.provide(layerPool({ url, maxConnections: 3, applicationName: "millrace-later", statementsAtOnce: 1, ...as }))
  )

/** Runs the later changes for the operator, next to the service: as `DATABASE_OWNER_URL` if it is set. */
export const prepareLater = Effect.gen(function* () {
  const { owner } = yield* addresses
  return yield* later(owner)
})

/** Does the work that `DATABASE_SUPERUSER_URL` (set by the launcher) and `DATABASE_OWNER_URL` (set by the operator) ask for. */
export const prepare = Effect.gen(function* () {
  const { service, superuser, owner } = yield* addresses
  if (Option.isNone(superuser)) return yield* prepareOwned(owner, service)
  // Later changes run at once: only the launcher has the superuser's address, and an embedded Postgres is small.
  return yield* Effect.tap(prepareEmbedded(superuser.value, service), () => later(superuser.value, { role: OWNER }))
})
