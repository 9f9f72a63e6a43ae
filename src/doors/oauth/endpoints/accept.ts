// Whether a request prefers JSON to a page (service.md 4.1; RFC 9110 12.5.1).

const weightOf = (accept: string, type: string): number => {
  let best = { specificity: -1, q: 0 }
  for (const part of accept.split(",")) {
    const [range = "", ...parameters] = part
      .toLowerCase()
      .split(";")
      .map((one) => one.trim())
    const specificity = range === type ? 2 : range === `${type.split("/")[0]}/*` ? 1 : range === "*/*" ? 0 : -1
    const q = Number(parameters.find((p) => p.startsWith("q="))?.slice(2) ?? 1)
    if (specificity > best.specificity) best = { specificity, q: Number.isNaN(q) ? 1 : q }
  }
  return best.q
}

export const prefersJson = (accept: string | undefined): boolean =>
  accept !== undefined && weightOf(accept, "application/json") > weightOf(accept, "text/html")
