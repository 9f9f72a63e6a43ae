// A measurement without a peer: figures of this service, each with the bound that it has to keep, if there is one.
import type { Effect } from "effect"
import type { MachineFailed } from "./machine.ts"
import type { BenchFailed } from "./Row.ts"

export interface Reading {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The most that it may be. */
  readonly atMost?: number
  /** The least. */
  readonly atLeast?: number
}

export interface Check {
  readonly name: string
  readonly work: string
  /** Seconds of a full run. */
  readonly seconds: number
  /** Kinds that the check can be limited to (`--kind`), if it measures several things. */
  readonly kinds?: ReadonlyArray<string>
  readonly run: (
    seconds: number,
    say: (line: string) => void,
    asked: { readonly kind?: string; readonly records?: number }
  ) => Effect.Effect<ReadonlyArray<Reading>, BenchFailed | MachineFailed>
}

export const holds = ({ atLeast, atMost, value }: Reading): boolean =>
  (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)

const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(value >= 100 ? 0 : 2))

/** A Markdown table of one check. */
export const readings = (name: string, read: ReadonlyArray<Reading>): string =>
  [
    `| ${name} | value | unit | bound | kept |`,
    "|---|---|---|---|---|",
    ...read.map((one) => {
      const most = one.atMost === undefined ? [] : [`at most ${number(one.atMost)}`]
      const bound = [...most, ...(one.atLeast === undefined ? [] : [`at least ${number(one.atLeast)}`])].join(", ")
      return `| ${one.what} | ${number(one.value)} | ${one.unit} | ${bound} | ${bound === "" ? "" : holds(one) ? "yes" : "no"} |`
    })
  ].join("\n")
