// Runs inside a page: what makes it hard to read or to use, by the measures of WCAG AA.

/** One line for each fault. No types of the browser here: the project is compiled without them. */
export const faultsOf = (): Array<string> => {
  const { document, getComputedStyle, innerWidth } = globalThis as any
  const faults: Array<string> = []
  type Colour = readonly [number, number, number, number]
  const parse = (text: string): Colour => {
    const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
    return [r, g, b, a]
  }
  const blend = (top: Colour, below: Colour): Colour => {
    const mix = (i: 0 | 1 | 2) => top[i] * top[3] + below[i] * (1 - top[3])
    return [mix(0), mix(1), mix(2), 1]
  }
  const groundOf = (element: any): Colour => {
    if (element === null) return [255, 255, 255, 1]
    const ownColour = parse(getComputedStyle(element).backgroundColor)
    return ownColour[3] === 1 ? ownColour : blend(ownColour, groundOf(element.parentElement))
  }
  const luminance = ([r, g, b]: Colour) => {
    const linear = (c: number) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  }
  const ratio = (a: Colour, b: Colour) => {
    const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
    return (hi + 0.05) / (lo + 0.05)
  }
  const isSeen = (element: any) => {
    const { width, height, right } = element.getBoundingClientRect()
    return width > 0 && height > 0 && right > 0 && getComputedStyle(element).visibility === "visible"
  }

  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes]
      .filter((n: any) => n.nodeType === 3)
      .map((n: any) => n.textContent.trim())
      .join("")
    if (text === "" || !isSeen(element) || element.matches(":disabled")) continue
    const style = getComputedStyle(element)
    const ground = groundOf(element)
    const contrast = ratio(blend(parse(style.color), ground), ground)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (contrast < (isLarge ? 3 : 4.5)) faults.push(`contrast ${contrast.toFixed(2)}: ${text.slice(0, 40)}`)
    if (size < 12) faults.push(`small text ${size}: ${text.slice(0, 40)}`)
  }
  for (const control of document.querySelectorAll("input:not([type=hidden]), select, button")) {
    const isNamed =
      control.labels?.length > 0 || control.getAttribute("aria-label") || control.textContent.trim() !== ""
    if (!isNamed) faults.push(`no name: ${control.outerHTML.slice(0, 80)}`)
    if (control.tagName === "BUTTON" || !isSeen(control)) continue
    const style = getComputedStyle(control)
    if (
      control.type !== "checkbox" &&
      control.type !== "radio" &&
      ratio(parse(style.borderTopColor), groundOf(control)) < 3
    )
      faults.push(`faint border: ${control.name}`)
  }
  if (document.scrollingElement.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter(
      (e: any) => e.getBoundingClientRect().right > innerWidth + 1
    )
    faults.push(`scrolls sideways: ${wide.slice(0, 3).map((e: any) => e.outerHTML.slice(0, 80))}`)
  }
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1")
  if (document.querySelector("main") === null) faults.push("no main")
  if (document.querySelector("script, [style], style") !== null) faults.push("script or inline style")
  return faults
}
