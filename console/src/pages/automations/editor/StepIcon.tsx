// Icons of triggers and steps: one for each family of types. They stand beside words and are hidden from screen readers.
import { Icon } from "../../../ui/icons.tsx"

const paths = {
  add: "M6 3h8l4 4v14H6zM14 3v5h4M12 11v6M9 14h6",
  branch: "M12 3v6M12 9l-6 6v6M12 9l6 6v6",
  call: "M5 4h10v6H5zM9 14h10v6H9zM10 10v4",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16",
  collect: "M4 6h16M4 12h16M4 18h9",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  edit: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  filter: "M3 5h18l-7 8v6l-4 2v-8z",
  http: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c3 2.5 3 14.5 0 17M12 3.5c-3 2.5-3 14.5 0 17",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  loop: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
  mail: "M3 6h18v13H3zM3 7l9 7 9-7",
  page: "M3 5h18v14H3zM3 9h18M6 7h.01",
  pdf: "M6 3h8l4 4v14H6zM14 3v5h4M9 13h6M9 17h4",
  remove: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  start: "M7 4l12 8-12 8z",
  stop: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9 9h6v6H9z",
  sum: "M17 5H7l6 7-6 7h10",
  variable: "M8 4c-3 0-1 8-4 8 3 0 1 8 4 8M16 4c3 0 1 8 4 8-3 0-1 8-4 8M10 9l4 6M14 9l-4 6",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6"
} as const
type Sign = keyof typeof paths

/** The first family whose pattern fits. */
const families: ReadonlyArray<readonly [RegExp, Sign]> = [
  [/^conditional$/, "branch"],
  [/^for_loop$/, "loop"],
  [/^filter/, "filter"],
  [/http_call$/, "http"],
  [/email/, "mail"],
  [/call_automation|^automation_called$/, "call"],
  [/weblink|redirect/, "link"],
  [/comment|reply/, "comment"],
  [/pdf/, "pdf"],
  [/webpage/, "page"],
  [/^custom_code$/, "code"],
  [/^custom_variable$/, "variable"],
  [/rollup/, "sum"],
  [/^(?:delay|periodic|date_field_arrived)$/, "clock"],
  [/^exit$/, "stop"],
  [/delete|clear/, "remove"],
  [/restore|revision/, "undo"],
  [/collect_|sort_/, "collect"],
  [/update/, "edit"],
  [/create/, "add"]
]

export const StepIcon = ({ type }: { readonly type: string }) => (
  <Icon size={18}>
    <path d={paths[families.find(([pattern]) => pattern.test(type))?.[1] ?? "start"]} />
  </Icon>
)
