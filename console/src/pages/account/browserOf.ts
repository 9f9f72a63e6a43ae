// Shortens a browser's user agent to two words that people know; the full text is shown on hover.
import { browserOf as texts } from "../../texts/account/accountWords.ts"

const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["HeadlessChrome/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"]
] as const

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["Linux", "Linux"]
] as const

const named = (agent: string, names: ReadonlyArray<readonly [string, string]>) =>
  names.find(([part]) => agent.includes(part))?.[1]

export const browserOf = (agent: string | null): string => {
  if (agent === null) return texts.aBrowser
  const browser = named(agent, browsers) ?? texts.aBrowser
  const system = named(agent, systems)
  return system === undefined ? browser : texts.browserOnSystem(browser, system)
}
