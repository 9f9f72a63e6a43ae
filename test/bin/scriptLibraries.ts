// What each library of scripts (developer-api.md 8.2) gives to a script of a running service, over the API: an installed package has their
// bundle and none of their packages.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { scriptLibraries } from "../../src/platform/sandbox/libraries.ts"
import { root, until } from "./launcher.ts"

/** Names in scripts, each with an expression and its value. */
const samples: Readonly<Record<string, readonly [expression: string, value: unknown]>> = {
  _: ["_.chunk([1, 2, 3], 2)", [[1, 2], [3]]],
  lodash: ["lodash.kebabCase('Due date')", "due-date"],
  moment: ["moment.utc('2026-02-28').add(1, 'day').format('LL')", "March 1, 2026"],
  date_fns: ["date_fns.differenceInDays(new Date(86400000), new Date(0))", 1],
  date_fns_tz: ["date_fns_tz.formatInTimeZone(new Date(0), 'Asia/Tokyo', 'HH:mm')", "09:00"],
  uuid: ["uuid.version(uuid.v7())", 7],
  striptags: ["striptags('<p>paid</p>')", "paid"],
  minimatch: ["minimatch('2026/may.csv', '*/*.csv')", true],
  cheerio: ["cheerio.load('<b>x</b><b>y</b>')('b').length", 2],
  jsonata: ["await jsonata('$sum(n)').evaluate([{ n: 3 }, { n: 4 }])", 7]
}

interface Entry {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** None of these is installed, unless another package depends on it. */
export const expectNoPackages = (folder: string, names: ReadonlyArray<string>) => {
  const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"))
  const entries: ReadonlyArray<readonly [path: string, entry: Entry]> = Object.entries(lock.packages)
  for (const name of names) {
    const isNeeded = entries.some(([, { dependencies = {} }]) => name in dependencies)
    assert.strictEqual(
      entries.some(([path]) => path.endsWith(`node_modules/${name}`)),
      isNeeded,
      name
    )
  }
}

/** A step that gives the values of all of them, with the versions that two tell of themselves. */
const code = `return {
  values: [${Object.values(samples)
    .map(([expression]) => expression)
    .join(", ")}],
  versions: { lodash: lodash.VERSION, moment: moment.version } }`

/** Runs the step in the first app that the token reaches, and holds what it gives, and what the catalogue says of versions. */
export const expectLibraries = async (baseUrl: string, token: string) => {
  const ask = async (path: string, body?: unknown): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    return (await fetch(`${baseUrl}/v1/${path}`, { headers, ...init })).json()
  }
  const versions: Record<string, string> = JSON.parse(
    readFileSync(join(root, "script-libraries/package.json"), "utf8")
  ).dependencies
  const { libraries } = await ask("automation/meta/script")
  for (const { package: name, version } of libraries) assert.strictEqual(version, versions[name], name)
  assert.deepStrictEqual(
    Object.keys(samples).sort(),
    scriptLibraries.flatMap(({ names }) => names).sort(),
    "a sample of each"
  )

  const { apps } = await ask("app")
  const { automation } = await ask(`automation/app/${apps[0].app_id}`, {
    name: "Libraries",
    trigger: { type: "webhook_received", config: {} },
    actions: [
      {
        id: "run",
        type: "custom_code",
        config: { code: [code], custom_variable_defs: [{ custom_type: "any", label: "Result" }] }
      }
    ]
  })
  const { run_id } = await ask(`automation/${automation.id}/test-step`, { action_id: "run" })
  const step = await until("the step has run", async () => {
    const { automation_run } = await ask(`automation-run/${run_id}`)
    return automation_run?.logs.find((entry: { readonly action_id: string }) => entry.action_id === "run")
  })
  assert.deepStrictEqual(
    step.detail?.outputs.value,
    {
      values: Object.values(samples).map(([, value]) => value),
      versions: { lodash: versions["lodash"], moment: versions["moment"] }
    },
    JSON.stringify(step)
  )
}
