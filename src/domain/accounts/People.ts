// People and how they sign in: e-mail address, password, one-time links to set a password (decisions O12, P1).
import { Context, DateTime, Effect, Layer, Schema, Struct } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import type { PlacesFull } from "../../platform/fairness/FairPlaces.ts"
import { Conflict, NotFound, type ValidationError } from "../../platform/primitives/errors.ts"
import { hashToken, randomToken } from "../../platform/sealing/Secrets.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { transact } from "../../platform/sql/transact.ts"
import type { Turn } from "./passwordSlots.ts"
import { hashPasswordInTurn } from "./passwords.ts"
import { makeStoredPasswords, type Proven } from "./storedPasswords.ts"

export const Person = Schema.Struct({ person_id: Schema.Int, email: Schema.String, name: Schema.String })
export type Person = typeof Person.Type

const MeantMore = Schema.Struct({
  password_set_on: Schema.NullOr(Schema.Date),
  /** Organization in which the person is active, the first by id; null if there is none. */
  org_id: Schema.NullOr(Schema.Int)
})
type MeantMore = typeof MeantMore.Type

/** Person that a typed address means. */
export interface Meant {
  /** Key shared by all spellings that the database treats as equal, with or without a person; never the address itself. */
  readonly key: string
  readonly person: (Person & MeantMore) | undefined
}

/** The link was used, has expired, or never existed. */
export class LinkInvalid extends Schema.TaggedError<LinkInvalid>()("LinkInvalid", {}) {}

export const linkHours = 24

const ListedPerson = Schema.Struct({ ...Person.fields, has_password: Schema.Boolean })

/** Row of a lookup by address; all of the person is null if nobody has the address. */
const Looked = Schema.Struct({
  ...Struct.map(Person.fields, Schema.NullOr),
  ...MeantMore.fields,
  folded: Schema.String
})

export class People extends Context.Service<
  People,
  {
    readonly create: (input: { readonly name: string; readonly email: string }) => Effect.Effect<Person, Conflict>
    readonly byEmail: (email: string) => Effect.Effect<Person, NotFound>
    readonly byId: (personId: number) => Effect.Effect<Person | undefined>
    readonly meant: (email: string) => Effect.Effect<Meant>
    readonly list: Effect.Effect<ReadonlyArray<Person & { readonly has_password: boolean }>>
    /** Sets a password on behalf of the operator or the service: waits for a hashing slot. The person's sessions end. */
    readonly setPassword: (personId: number, password: string) => Effect.Effect<void, ValidationError>
    /**
     * Changes a password. False if another one was set since the former one was verified.
     * @param sessionId session that changes it; the person's other sessions end
     */
    readonly changePassword: (
      proven: Proven,
      password: string,
      turn: Turn,
      sessionId: number
    ) => Effect.Effect<boolean, ValidationError | PlacesFull>
    /** The person, or `null` for a wrong address or password; the same work either way. */
    readonly signIn: (email: string, password: string, turn: Turn) => Effect.Effect<Proven | null, PlacesFull>
    /** A link that lets its bearer set the person's password once, within 24 h. The address is returned once. */
    readonly oneTimeLink: (personId: number) => Effect.Effect<{ readonly url: string; readonly expires_on: Date }>
    /** The person behind an open link, without using it up. */
    readonly peekLink: (token: string) => Effect.Effect<Person, LinkInvalid>
    /** Uses it up; the person's sessions end. */
    readonly redeemLink: (
      token: string,
      password: string
    ) => Effect.Effect<Person, LinkInvalid | ValidationError | PlacesFull>
  }
>()("millrace/accounts/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl } = yield* AppConfig
      const currentTime = Effect.map(DateTime.now, DateTime.toDate)

      const create = Effect.fn("People.create")(function* (input: { readonly name: string; readonly email: string }) {
        const row = yield* rowOf(Person)(sql`
            INSERT INTO people (email, name, created_on) VALUES (${input.email}, ${input.name}, ${yield* currentTime})
            ON CONFLICT DO NOTHING RETURNING person_id, email, name`)
        return row ?? (yield* new Conflict({ message: `There is a person with the address ${input.email} already.` }))
      }, orSqlDefect)

      const byEmail = Effect.fn("People.byEmail")(function* (email: string) {
        const row = yield* rowOf(Person)(
          sql`SELECT person_id, email, name FROM people WHERE lower(email) = lower(${email})`
        )
        return row ?? (yield* new NotFound({ message: `No person with the address ${email}.` }))
      }, orSqlDefect)

      const byId = Effect.fn("People.byId")(
        (personId: number) =>
          rowOf(Person)(sql`SELECT person_id, email, name FROM people WHERE person_id = ${personId}`),
        orSqlDefect
      )

      const list = rowsOf(ListedPerson)(sql`
        SELECT person_id, email, name, password_hash IS NOT NULL AS has_password FROM people ORDER BY person_id`).pipe(
        orSqlDefect
      )

      const meant = Effect.fn("People.meant")(function* (email: string) {
        const row = yield* rowOf(Looked)(sql`
            SELECT encode(sha256(convert_to(lower(a.email), 'UTF8')), 'hex') AS folded,
              p.person_id, p.email, p.name, p.password_set_on,
              (SELECT min(u.org_id) FROM users u WHERE u.person_id = p.person_id AND u.status = 'active') AS org_id
            FROM (SELECT ${email.trim()}::text AS email) a LEFT JOIN people p ON lower(p.email) = lower(a.email)`)
        const { folded, ...person } = row!
        const knownPerson = person.person_id === null ? undefined : (person as Meant["person"])
        return { key: knownPerson === undefined ? folded : String(knownPerson.person_id), person: knownPerson }
      }, orSqlDefect)

      const { checkLength, store, setPassword, changePassword, signIn } = yield* makeStoredPasswords

      const oneTimeLink = Effect.fn("People.oneTimeLink")(function* (personId: number) {
        const token = randomToken("")
        const createdAt = yield* currentTime
        const expires = new Date(createdAt.getTime() + linkHours * 3_600_000)
        yield* sql`
            INSERT INTO one_time_links (token_hash, person_id, purpose, created_on, expires_on)
            VALUES (${hashToken(token)}, ${personId}, 'password', ${createdAt}, ${expires})`
        return { url: `${baseUrl}/account/password/${token}`, expires_on: expires }
      }, orSqlDefect)

      const lockLink = Effect.fnUntraced(function* (token: string) {
        const row = yield* rowOf(Person)(sql`
          SELECT p.person_id, p.email, p.name FROM one_time_links l JOIN people p USING (person_id)
          WHERE l.token_hash = ${hashToken(token)} AND l.purpose = 'password' AND l.used_on IS NULL AND l.expires_on > ${yield* currentTime}
          FOR UPDATE OF l`)
        return row ?? (yield* new LinkInvalid())
      })

      const peekLink = Effect.fn("People.peekLink")(lockLink, orSqlDefect)

      const redeemLink = Effect.fn("People.redeemLink")(function* (token: string, password: string) {
        yield* checkLength(password)
        // Hashes before the transaction: the wait for a hashing slot holds no connection and no lock.
        const { person_id } = yield* lockLink(token)
        const hash = yield* hashPasswordInTurn(password, { owner: `person ${person_id}`, known: true })
        return yield* transact(sql)(
          Effect.gen(function* () {
            const person = yield* lockLink(token)
            yield* store(person.person_id, hash, "link")
            // Every other open link of the person goes with the one that was used.
            yield* sql`
                UPDATE one_time_links SET used_on = ${yield* currentTime}
                WHERE person_id = ${person.person_id} AND purpose = 'password' AND used_on IS NULL`
            return person
          })
        )
      }, orSqlDefect)

      return People.of({
        create,
        byEmail,
        byId,
        meant,
        list,
        setPassword,
        changePassword,
        signIn,
        oneTimeLink,
        peekLink,
        redeemLink
      })
    })
  )
}
