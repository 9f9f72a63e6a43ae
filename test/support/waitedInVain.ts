// What a wait that was in vain says: what was waited for and for how long, the load of the machine, and the last log lines of the services
// that the test has started. A busy machine is told from a fault by reading it.
import { availableParallelism, loadavg } from "node:os"

/** Log lines of each service. */
const LINES = 20
const LINE_CHARS = 400

interface Service {
  readonly name: string
  readonly output: () => string
}

/** Of the process, whatever is loaded again for each file of tests. */
const shared = globalThis as { "millrace/services"?: Set<Service> }
const services = () => {
  shared["millrace/services"] ??= new Set()
  return shared["millrace/services"]
}

/** Its last lines are told with every wait that is in vain until it is taken back. */
export const tellOf = (name: string, output: () => string): (() => void) => {
  const service = { name, output }
  services().add(service)
  return () => void services().delete(service)
}

const lastLines = ({ name, output }: Service) => {
  const lines = output()
    .trimEnd()
    .split("\n")
    .slice(-LINES)
    .map((line) => `    ${line.slice(0, LINE_CHARS)}`)
  return `  the last lines of ${name}:\n${lines.join("\n")}`
}

/** The load of one, five and fifteen minutes, beside the cores that there are. */
const loadOfMachine = (): string => {
  const load = loadavg().map((one) => one.toFixed(1))
  return `load ${load.join(", ")} on ${availableParallelism()} cores`
}

/** @param seen as it was at the last look */
export const waitedInVain = (what: string, millis: number, seen: string): Error =>
  new Error(
    [
      `${what}: not within ${Math.round(millis / 1_000)} s (${loadOfMachine()})`,
      ...(seen === "" ? [] : [`  at last: ${seen}`]),
      ...[...services()].map(lastLines)
    ].join("\n")
  )
