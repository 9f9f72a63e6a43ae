// Activities that may take longer than a moment give signs of life: a killed worker holds none of them up until its whole time is over.
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const directory = new URL("../../workflows/", import.meta.url)
/** Longest time of an activity that may do without. */
const MOMENT_MILLIS = 30_000
const MILLIS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

/** Options that the workflows give their activities. */
const options = readdirSync(directory)
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => {
    const source = readFileSync(new URL(name, directory), "utf8")
    return [...source.matchAll(/proxyActivities<[^>]+>\(\{([\s\S]*?)\}\)/g)].map(([, text]) => {
      const named = /startToCloseTimeout: ([A-Z_]+)/.exec(text!)?.[1]
      const declared = named === undefined ? text! : source.slice(source.indexOf(`const ${named} =`))
      const [, amount, unit] = /"(\d+) (second|minute|hour)s?"/.exec(declared)!
      return {
        name,
        millis: Number(amount) * MILLIS[unit as keyof typeof MILLIS],
        beats: text!.includes("heartbeatTimeout")
      }
    })
  })

describe("activities of the workflows", () => {
  it("have a heartbeat time-out if they may take longer than half a minute", () => {
    assert.isAtLeast(options.length, 7)
    for (const { beats, millis, name } of options) assert.isTrue(beats || millis <= MOMENT_MILLIS, name)
  })
})
