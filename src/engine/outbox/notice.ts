// What a commit tells the relay of its events, as a text that fits into a NOTIFY, so that one which comes alone need not be asked for before
// it is gone on from (docs/architecture.md, "One flow"). Only a hint: the relay hands over what it finds in the outbox.
import { Option, Schema, Struct } from "effect"
import { OutboxRow } from "./OutboxRow.ts"

/** Says that there is something, and not what. */
export const BARE = ""
/** Of a payload of NOTIFY, 8,000 less what surrounds it. */
const BYTES_AT_MOST = 7_900
const EVENTS_AT_MOST = 16

/** An event as it stands in the outbox since its commit. */
const ToldEvent = Schema.Struct({
  ...Struct.omit(OutboxRow.fields, ["attempts", "shard"]),
  created_on: Schema.DateFromString
})
export type ToldEvent = typeof ToldEvent.Type

const heard = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(ToldEvent)))

/** Bare where it would be too long. Commands are not told: some of what they carry is nobody else's. */
export const noticeOf = (events: ReadonlyArray<ToldEvent>): string => {
  if (events.length > EVENTS_AT_MOST) return BARE
  const texts: Array<string> = []
  let left = BYTES_AT_MOST
  for (const event of events) {
    if (event.type.startsWith("command.")) return BARE
    const text = JSON.stringify(event)
    left -= Buffer.byteLength(text) + 1
    if (left < 0) return BARE
    texts.push(text)
  }
  return `[${texts.join(",")}]`
}

/** In their order; undefined where not all of it is told. */
export const toldIn = (notices: ReadonlyArray<string>): ReadonlyArray<ToldEvent> | undefined => {
  const all: Array<ToldEvent> = []
  for (const notice of notices) {
    const events = notice === BARE ? Option.none() : heard(notice)
    if (Option.isNone(events)) return undefined
    all.push(...events.value)
  }
  return all.length > EVENTS_AT_MOST ? undefined : all.sort((a, b) => a.event_id - b.event_id)
}
