// Commands, calls, settings and codes that sentences of the how-to pages name exist, flags of commands too (docs/troubleshooting.md).
import { assert, describe, it } from "@effect/vitest"
import { descriptionText } from "../../src/api/descriptionText.ts"
import { waitReasons } from "../../src/domain/automations/run/waitReasons.ts"
import { reasons } from "../../src/domain/oauth/reasons.ts"
import { commands } from "../../src/interfaces/cli/allCommands.ts"
import { configCommand } from "../../src/interfaces/cli/configCommands.ts"
import { doctorCommand } from "../../src/interfaces/cli/doctorCommand.ts"
import { partsCommand } from "../../src/interfaces/cli/partsCommand.ts"
import { OutboundReason } from "../../src/platform/outbound/OutboundError.ts"
import { filesBelow, inlineCodeOf, read } from "./passages.ts"

const howTo = ["troubleshooting", "production", "receiving-webhooks", "support", "moving"].map(
  (name) => `docs/${name}.md`
)
const pages = [
  ...howTo,
  "README.md",
  "docs/README.md",
  "docs/operations.md",
  "docs/api.md",
  ...filesBelow("docs/runbooks", /\.md$/)
]

interface Named {
  readonly page: string
  readonly code: string
}

const codes: ReadonlyArray<Named> = pages.flatMap((page) => inlineCodeOf(read(page)).map((code) => ({ page, code })))

const isOfHowTo = ({ page }: Named) => howTo.includes(page)

interface Command {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Command> }>
  readonly buildHelpDoc: (path: ReadonlyArray<string>) => { readonly flags: ReadonlyArray<{ readonly name: string }> }
}
const allCommands = [...commands, configCommand, doctorCommand, partsCommand] as unknown as ReadonlyArray<Command>

const CLI = "npm run cli -- "

/** What a line of the operator names and the command line lacks; undefined where all of it exists. */
const missingOf = (line: string): string | undefined => {
  const words = line.split(/\s+/)
  let candidates = allCommands
  let command: Command | undefined
  while (candidates.length > 0) {
    const name = words.shift()
    if (name?.startsWith("--")) return undefined
    command = candidates.find((candidate) => candidate.name === name)
    if (command === undefined) return name ?? "a subcommand"
    candidates = command.subcommands.flatMap((group) => group.commands)
  }
  const flags = new Set(command!.buildHelpDoc([]).flags.map(({ name }) => `--${name}`))
  return words.find((word) => word.startsWith("--") && !flags.has(word))
}

/** Lines of the operator: those with the beginning, and in the page by symptom also those without it. */
const linesOf = ({ code, page }: Named): ReadonlyArray<string> => {
  if (code.startsWith(`${CLI}…`)) return []
  if (code.startsWith(CLI)) return [code.slice(CLI.length)]
  const isCommand = page === howTo[0] && allCommands.some(({ name }) => code.startsWith(`${name} `))
  return isCommand ? [code] : []
}

const { paths } = JSON.parse(descriptionText())
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}|(?<=\/)\d+/g, "{}")
const operations = new Set(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`)
  )
)
const callOf = (code: string) => {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^\s?]+)/.exec(code) ?? []
  return path === undefined ? undefined : `${method} ${shapeOf(path)}`
}

describe("what sentences of the how-to pages name", () => {
  it("commands and their flags are the command line's", () => {
    const lines = codes.flatMap((named) => linesOf(named).map((line) => [named.page, line, missingOf(line)] as const))
    assert.isAbove(lines.length, 60)
    assert.deepStrictEqual(
      lines.filter(([, , missing]) => missing !== undefined),
      []
    )
    assert.deepStrictEqual(
      ["webhook shew 17", "webhook", "webhook deliveries 17 --stat failed", "run show 4711"].map(missingOf),
      ["shew", "a subcommand", "--stat", undefined]
    )
  })

  it("calls are operations of the API", () => {
    const calls = codes.flatMap(({ code, page }) =>
      callOf(code) === undefined ? [] : [[page, callOf(code)!] as const]
    )
    assert.isAbove(calls.length, 60)
    assert.deepStrictEqual(
      calls.filter(([, call]) => !operations.has(call)),
      []
    )
    assert.isFalse(operations.has(callOf("GET /v1/hook/17/gone")!))
  })

  it("names in capitals are settings and reason ids", () => {
    const knownNames = new Set([
      ...[...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].flatMap(([, name]) => [name!, `${name}_FILE`]),
      ...Object.keys(reasons),
      "NODE_ENV"
    ])
    const capitals = codes
      .filter(isOfHowTo)
      .flatMap(({ code, page }) =>
        [...code.matchAll(/^\$?([A-Z][A-Z0-9]*_[A-Z0-9_]+)/g)].map(([, name]) => [page, name!] as const)
      )
    assert.isAbove(capitals.length, 50)
    assert.deepStrictEqual(
      capitals.filter(([, name]) => !knownNames.has(name)),
      []
    )
  })

  it("reasons for which a run waits, and errors of attempts that nothing answered, each have their row", () => {
    const symptoms = read(howTo[0]!)
    const firstCells = [...symptoms.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!).join(" ")
    for (const reason of waitReasons) assert.include(firstCells, `\`${reason}\``)
    // Those of requests that hooks do not make: addresses that were checked before, bodies that are not read, redirects that are not followed.
    const reasonsOfOthers = ["invalid_url", "invalid_request", "too_large", "too_many_redirects", "protocol_error"]
    for (const reason of OutboundReason.literals)
      if (!reasonsOfOthers.includes(reason)) assert.include(firstCells, `\`${reason}\``)
  })

  it("every reason of invalid_grant has its row", () => {
    const symptoms = read(howTo[0]!)
    for (const [id, { error }] of Object.entries(reasons))
      if (error === "invalid_grant") assert.include(symptoms, `\`${id}\``)
  })
})
