// One-time link that `npm start` prints next to the demo data: it signs the demo person in within ten minutes, on this machine (decisions,
// "Where the demo is"). Like every token it is stored as a hash, under its own purpose, so that no other page accepts it.
import { Clock, Context, Effect, Layer } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { type NotFound, Restricted } from "../../platform/primitives/errors.ts"
import { hashToken, randomToken } from "../../platform/sealing/Secrets.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { LinkInvalid, People, Person } from "./People.ts"

export const demoAddress = "demo@millrace.example"

const PURPOSE = "demo_sign_in"
const LASTS_MILLIS = 10 * 60_000

const isLoopback = (host: string) =>
  host === "localhost" ||
  host === "::1" ||
  host === "[::1]" ||
  /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

export class DemoLinks extends Context.Service<
  DemoLinks,
  {
    /** Creates a link and returns its URL once. Fails unless the service runs for its own machine and has a demo person. */
    readonly make: Effect.Effect<string, Restricted | NotFound>
    /** Uses the link up. @param source the address of who has opened it */
    readonly redeem: (token: string, source: string | null) => Effect.Effect<Person, LinkInvalid>
  }
>()("millrace/accounts/DemoLinks") {
  static readonly layer = Layer.effect(
    DemoLinks,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl } = yield* AppConfig
      const people = yield* People
      const isLocal = isLoopback(new URL(baseUrl).hostname)

      const make = Effect.gen(function* () {
        if (!isLocal || process.env["NODE_ENV"] === "production")
          return yield* new Restricted({
            message: "There is no such link in production, nor for a service that others reach."
          })
        const { person_id } = yield* people.byEmail(demoAddress)
        const token = randomToken("")
        const nowMillis = yield* Clock.currentTimeMillis
        // The former one is worth nothing from now on.
        yield* sql`DELETE FROM one_time_links WHERE person_id = ${person_id} AND purpose = ${PURPOSE}`
        yield* sql`
          INSERT INTO one_time_links (token_hash, person_id, purpose, created_on, expires_on)
          VALUES (${hashToken(token)}, ${person_id}, ${PURPOSE}, ${new Date(nowMillis)}, ${new Date(nowMillis + LASTS_MILLIS)})`
        return `${baseUrl}/sign-in/demo/${token}`
      }).pipe(sql.withTransaction, orSqlDefect, Effect.withSpan("DemoLinks.make"))

      const redeem = Effect.fn("DemoLinks.redeem")(function* (token: string, source: string | null) {
        if (!isLocal || source === null || !isLoopback(source)) return yield* new LinkInvalid()
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const row = yield* rowOf(Person)(sql`
          UPDATE one_time_links l SET used_on = ${nowDate} FROM people p
          WHERE l.token_hash = ${hashToken(token)} AND l.purpose = ${PURPOSE} AND l.used_on IS NULL AND l.expires_on > ${nowDate}
            AND p.person_id = l.person_id RETURNING p.person_id, p.email, p.name`)
        return row ?? (yield* new LinkInvalid())
      }, orSqlDefect)

      return DemoLinks.of({ make, redeem })
    })
  )
}
