// docs/settings.md from .env.example: a table for each section, a row for each group of variables under one comment.

interface Group {
  readonly names: Array<string>
  readonly defaults: Array<string>
  readonly meaning: string
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

/** The meaning without its default, which has a column of its own unless it is said in words. */
const rowOf = ({ defaults, meaning, names }: Group) => {
  const values = defaults.every((value) => value === "")
    ? ""
    : defaults.map((value) => (value === "" ? "none" : `\`${value}\``)).join(", ")
  return `| ${names.map((name) => `\`${name}\``).join(", ")} | ${values} | ${cell(meaning)} |`
}

const groupsOf = (lines: ReadonlyArray<string>) => {
  const groups: Array<Group> = []
  let comment: Array<string> = []
  let previous: Group | undefined
  for (const line of lines) {
    const variable = /^#([A-Z][A-Z0-9_]+)=(.*)$/.exec(line)
    if (variable === null) {
      if (line.startsWith("# ")) comment.push(line.slice(2))
      previous = undefined
      continue
    }
    const [, name, value] = variable
    if (previous === undefined) {
      previous = { names: [], defaults: [], meaning: comment.join(" ") }
      groups.push(previous)
      comment = []
    }
    previous.names.push(name!)
    previous.defaults.push(value!)
  }
  return groups
}

export const settingsPage = (example: string): string => {
  const [, ...parts] = example.split(/^# --- (.+?) -+$/m)
  const sections = Array.from({ length: parts.length / 2 }, (_, i) => ({
    title: parts[2 * i]!,
    groups: groupsOf(parts[2 * i + 1]!.split("\n"))
  }))
  const tables = sections.map(({ groups, title }) =>
    [`## ${title}`, "", "| Variable | Default | Meaning |", "|---|---|---|", ...groups.map(rowOf)].join("\n")
  )
  return `# Settings

Environment variables, or lines of a file \`.env\` beside \`package.json\`; the environment wins. All are optional, and all are read once, at
the start. A wrong value stops the start with a list of everything that is wrong, and so does a name that is no setting.

- Each may also come from a file, \`NAME_FILE=/run/secrets/name\` in place of \`NAME=…\`, so that no secret stands in an environment.
- \`npm run cli -- config print\` shows what is in force and from where; \`doctor\` what is unfit.
- Limits of one organization (\`npm run cli -- organization limit\`) win over those of this page.

This page is made of [.env.example](../.env.example), which is also the file to copy: \`npx vitest run test/docs/settings.test.ts -u\`.

${tables.join("\n\n")}
`
}
