// Statements as they go to the server, where that is not as their client has written them.
import type { Unit } from "./wire.ts"

/** A text of statements, and one of the same length that takes its place. */
export type Plant = readonly [text: string, other: string]

export const planted = (bytes: Buffer, [text, other]: Plant): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll(text, other), "latin1")

/** Time-outs of locks in milliseconds, by the server's clock, that are over before a schedule goes on: whoever has the lock keeps it meanwhile. */
const SHORT_WAITS = ["100", "200"]
const parameter = (text: string) => `\0\0\0\x03${text}`
export const withShortWait = ({ bytes, text }: Unit): Buffer =>
  text.includes("set_config('lock_timeout'")
    ? SHORT_WAITS.reduce((former, millis) => planted(former, [parameter(millis), parameter("001")]), bytes)
    : bytes
