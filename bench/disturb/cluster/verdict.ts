// Judges a fault by its watched load: lost or doubled effects, and requests with outcomes that the fault does not allow.
import { METS, type Met } from "./seen.ts"
import type { Watched } from "./site.ts"

export interface Judged {
  readonly name: string
  readonly about: string
  readonly watched: Watched
  readonly wrong: ReadonlyArray<string>
}

const TITLES: Readonly<Record<Met, string>> = {
  cut: "cut off",
  away: "503",
  unready: "nobody ready"
}

/** Empty: as it has to be. */
export const faultsOf = ({ differences, ended, requests }: Watched, allows: ReadonlyArray<Met>) => [
  ...differences,
  // A process that starts while the database is away ends, and is started again.
  ...ended.filter((one) => !(allows.includes("away") && one.includes("The database is away"))),
  ...[...new Set(requests.failed)].map((one) => `failed: ${one}`),
  ...METS.flatMap((met) =>
    requests[met] > 0 && !allows.includes(met) ? [`requests met "${TITLES[met]}" ${requests[met]} times`] : []
  )
]

export const seconds = (millis: number) => `${(millis / 1000).toFixed(1)} s`

export const lineOf = ({ deliveries, requests, settledMillis, slowestMillis, steps }: Watched) =>
  [
    `${steps} steps`,
    `${deliveries} deliveries, the slowest ${seconds(slowestMillis)}`,
    `requests: ${METS.map((met) => `${requests[met]} ${TITLES[met]}`).join(", ")}, ${requests.failed.length} failed`,
    `settled after ${seconds(settledMillis)}`
  ].join("; ")

/** Renders the table as in docs/benchmarks.md. */
export const faultTable = (judged: ReadonlyArray<Judged>) =>
  [
    `| fault | steps | deliveries | slowest delivery | ${METS.map((met) => TITLES[met]).join(" | ")} | failed | settled after | lost or doubled |`,
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...judged.map(({ name, watched, wrong }) => {
      const { deliveries, differences, requests, settledMillis, slowestMillis, steps } = watched
      const requestCounts = [...METS.map((met) => requests[met]), requests.failed.length]
      const row = [
        name,
        steps,
        deliveries,
        seconds(slowestMillis),
        ...requestCounts,
        seconds(settledMillis),
        differences.length
      ]
      return `| ${row.join(" | ")} |${wrong.length === 0 ? "" : ` WRONG: ${wrong.join("; ")}`}`
    })
  ].join("\n")
