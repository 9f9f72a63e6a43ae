// Script of the pages of /docs: search, copy, the reader's own ids in examples, and requests sent from the page. A token that the reader
// types in stays in this page's memory.
const $ = (selector, from = document) => from.querySelector(selector)
const queryAll = (selector) => [...document.querySelectorAll(selector)]
const element = (name, members = {}, ...children) => {
  const newElement = Object.assign(document.createElement(name), members)
  newElement.append(...children)
  return newElement
}

if (matchMedia("(max-width: 56rem)").matches) $(".side details")?.removeAttribute("open")
else $(".side [aria-current]")?.scrollIntoView({ block: "nearest" })

const MOST = 12
let index
const search = $("#search")
const resultList = $("#found")
const searchedText = ({ text, title, words = "" }) => `${title} ${text} ${words}`.toLowerCase()
const titleHits = ({ title }, words) => words.filter((word) => title.toLowerCase().includes(word)).length
const show = async () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  resultList.hidden = words.length === 0
  if (words.length === 0) return
  index ??= fetch("/docs/search.json").then((answer) => answer.json())
  const hits = (await index)
    .filter((entry) => words.every((word) => searchedText(entry).includes(word)))
    .sort((a, b) => titleHits(b, words) - titleHits(a, words))
    .slice(0, MOST)
  const items = hits.map(({ path, text, title }) =>
    element("li", {}, element("a", { href: path }, title, " ", element("small", {}, text)))
  )
  resultList.replaceChildren(...(items.length > 0 ? items : [element("li", {}, element("p", {}, "Nothing found"))]))
}
search?.addEventListener("input", show)
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") resultList.hidden = true
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault()
    search.focus()
  }
})
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) resultList.hidden = true
})

const fillPlaceholders = (text) =>
  text.replaceAll("$BASE", location.origin).replaceAll("$TOKEN", $("#token")?.value || "$TOKEN")
for (const pre of queryAll("main pre")) {
  const button = element("button", { type: "button", className: "quiet copy", textContent: "Copy" })
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(fillPlaceholders(pre.textContent))
    button.textContent = "Copied"
    setTimeout(() => (button.textContent = "Copy"), 1500)
  })
  pre.before(button)
}

const fillOwnIds = async () => {
  const ownIds = await (await fetch("/docs/mine.json")).json()
  for (const form of queryAll("form[data-path]"))
    for (const [name, value] of Object.entries(ownIds)) {
      const input = form.elements.namedItem(name)
      if (input !== null && input.value === "") input.value = value
    }
  for (const pre of queryAll("pre[data-path]")) {
    const { filled, path } = pre.dataset
    const partValues = path.split("/").map((part) => ownIds[/^\{(\w+)\}$/.exec(part)?.[1]])
    const filledParts = filled.split("/").map((part, at) => partValues[at] ?? part)
    pre.textContent = pre.textContent.replace(filled, filledParts.join("/"))
  }
}
if (queryAll("form[data-path]").length > 0) fillOwnIds()

const request = (form) => {
  const { method, path } = form.dataset
  const query = new URLSearchParams()
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements.namedItem(name).value))
  for (const input of form.querySelectorAll('[data-in="query"]'))
    if (input.value !== "") query.set(input.name, input.value)
  const body = form.elements.namedItem("body")?.value
  const token = $("#token")?.value
  return fetch(query.size > 0 ? `${filled}?${query}` : filled, {
    method,
    credentials: "omit",
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" })
    },
    ...(body === undefined ? {} : { body })
  })
}
for (const form of queryAll("form[data-path]"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const output = $("output", form)
    output.replaceChildren("…")
    try {
      const answer = await request(form)
      const text = await answer.text()
      let answerText = text
      try {
        answerText = JSON.stringify(JSON.parse(text), null, 2)
      } catch {
        // Not JSON: as it came.
      }
      output.replaceChildren(element("pre", { tabIndex: 0 }, `${answer.status} ${answer.statusText}\n${answerText}`))
    } catch (error) {
      output.replaceChildren(element("pre", { tabIndex: 0 }, String(error)))
    }
  })
