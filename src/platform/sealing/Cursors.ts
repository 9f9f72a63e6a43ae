// Signed page cursors (developer-api.md 1.4): bound to their listing, with the total frozen, valid for 24 hours.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ValidationError } from "../primitives/errors.ts"
import { Secrets } from "./Secrets.ts"

const VALID_MILLIS = 24 * 3_600_000
const PURPOSE = "cursor"

export interface Place<Position> {
  /** Total as counted on the first page. */
  readonly total: number
  /** Start of the next page: whatever the listing needs, as JSON. */
  readonly position: Position
}

const Content = Schema.fromJsonString(
  Schema.Struct({ l: Schema.String, t: Schema.Int, p: Schema.Unknown, x: Schema.Int })
)

const refuseCursor = (why: string) => new ValidationError({ message: `cursor: ${why}` })

export class Cursors extends Context.Service<
  Cursors,
  {
    /** Signs a cursor. @param listing path scope, filters and sort of the listing: a cursor of another one is refused */
    readonly issue: (listing: string, place: Place<unknown>) => Effect.Effect<string>
    readonly read: <Position>(
      listing: string,
      cursor: string,
      position: Schema.Decoder<Position>
    ) => Effect.Effect<Place<Position>, ValidationError>
  }
>()("millrace/Cursors") {
  static readonly layer = Layer.effect(
    Cursors,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const issue = Effect.fnUntraced(function* (listing: string, place: Place<unknown>) {
        const expires = (yield* Clock.currentTimeMillis) + VALID_MILLIS
        const content = JSON.stringify({ l: listing, t: place.total, p: place.position, x: expires })
        return `${Buffer.from(content).toString("base64url")}.${secrets.sign(PURPOSE, content)}`
      })
      const read = Effect.fnUntraced(function* <Position>(
        listing: string,
        cursor: string,
        position: Schema.Decoder<Position>
      ) {
        const [encoded = "", signature = ""] = cursor.split(".")
        const content = Buffer.from(encoded, "base64url").toString("utf8")
        if (!secrets.verify(PURPOSE, content, signature))
          return yield* refuseCursor("altered or not issued by this service.")
        const { l, t, p, x } = yield* Effect.orDie(Schema.decodeEffect(Content)(content))
        if (x <= (yield* Clock.currentTimeMillis)) return yield* refuseCursor("expired; begin with the first page.")
        if (l !== listing) return yield* refuseCursor("issued by another listing.")
        return { total: t, position: yield* Effect.orDie(Schema.decodeUnknownEffect(position)(p)) }
      })
      return Cursors.of({ issue, read })
    })
  )
}
