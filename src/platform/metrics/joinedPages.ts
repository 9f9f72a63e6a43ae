// Joins the pages of several processes (exposition.ts): families together, as both forms require, and each value with its process.

export interface ProcessPage {
  readonly process: number
  readonly text: string
}

const HEAD = /^# (HELP|TYPE|UNIT) (\S+)/
const SAMPLE = /^([a-zA-Z_:][\w:]*)(\{)?/

interface Family {
  readonly heads: Map<string, string>
  readonly samples: Array<string>
}

const sampleOf = (line: string, process: number) =>
  line.replace(SAMPLE, (_, name: string, open: string | undefined) =>
    open === undefined ? `${name}{process="${process}"}` : `${name}{process="${process}",`
  )

/** Merges the pages, families in the order of their first page. Samples without a head belong to the family before them. */
export const joinedPages = (pages: ReadonlyArray<ProcessPage>): string => {
  const families = new Map<string, Family>()
  const familyOf = (name: string) => {
    const existingFamily = families.get(name)
    if (existingFamily !== undefined) return existingFamily
    const family: Family = { heads: new Map(), samples: [] }
    families.set(name, family)
    return family
  }
  let hasEnd = false
  for (const { process, text } of pages) {
    let family = familyOf("")
    for (const pageLine of text.split("\n")) {
      if (pageLine === "") continue
      const head = HEAD.exec(pageLine)
      if (head !== null) {
        family = familyOf(head[2]!)
        if (!family.heads.has(head[1]!)) family.heads.set(head[1]!, pageLine)
      } else if (pageLine === "# EOF") hasEnd = true
      else if (!pageLine.startsWith("#")) family.samples.push(sampleOf(pageLine, process))
    }
  }
  const lines = [...families.values()].flatMap(({ heads, samples }) => [...heads.values(), ...samples])
  return [...lines, ...(hasEnd ? ["# EOF"] : []), ""].join("\n")
}
