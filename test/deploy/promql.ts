// What a PromQL query names: metrics, and the labels that it matches or groups by.
import { parser } from "@prometheus-io/lezer-promql"

export interface Named {
  readonly metrics: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
  /** Where it is no PromQL. */
  readonly broken: ReadonlyArray<string>
}

export const namedIn = (query: string): Named => {
  const metrics = new Set<string>()
  const labels = new Set<string>()
  const broken: Array<string> = []
  parser.parse(query).iterate({
    enter: ({ from, name, to, type }) => {
      const text = query.slice(from, to)
      if (type.isError) broken.push(`${query.slice(0, from)}⟨here⟩${query.slice(from)}`)
      else if (name === "Identifier") metrics.add(text)
      else if (name === "LabelName") labels.add(text)
    }
  })
  return { metrics, labels, broken }
}

/** The series of a page: names with the labels that each has. */
export const seriesIn = (page: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const labelsByName = new Map<string, Set<string>>()
  for (const [, name, labels = ""] of page.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+(?: #.*)?$/gm)) {
    const labelNames = labelsByName.get(name!) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) labelNames.add(label!)
    labelsByName.set(name!, labelNames)
  }
  return labelsByName
}
