// Icons of Lucide, of one stroke, drawn once by name. They stand beside words and are hidden from screen readers. Those of types stand in
// fieldIcons.ts and stepIcons.ts.
import {
  Calendar,
  ChevronDown,
  CirclePlay,
  CircleUser,
  ClipboardList,
  Ellipsis,
  FileText,
  GripVertical,
  House,
  Image,
  LayoutDashboard,
  LayoutGrid,
  type LucideIcon,
  Maximize2,
  MessageSquare,
  Search,
  Settings2,
  SquareKanban,
  SquareTerminal,
  SunMoon,
  Table2,
  Webhook,
  Workflow
} from "lucide-react"

const icon = (Body: LucideIcon) => <Body size={20} strokeWidth={1.75} />

/** A water wheel, the mark of the product. */
const wheel = (
  <svg
    viewBox="0 0 24 24"
    width={20}
    height={20}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <circle cx="12" cy="12" r="6.5" />
    <circle cx="12" cy="12" r="1.5" />
    <path d="M12 1.5v9M12 13.5v9M1.5 12h9M13.5 12h9M4.6 4.6l6.3 6.3M13.1 13.1l6.3 6.3M19.4 4.6l-6.3 6.3M10.9 13.1l-6.3 6.3" />
  </svg>
)

export const icons = {
  wheel,
  home: icon(House),
  apps: icon(LayoutGrid),
  automations: icon(Workflow),
  runs: icon(CirclePlay),
  webhooks: icon(Webhook),
  admin: icon(Settings2),
  account: icon(CircleUser),
  appearance: icon(SunMoon),
  record: icon(FileText),
  comment: icon(MessageSquare),
  drag: icon(GripVertical),
  expand: icon(Maximize2),
  more: icon(Ellipsis),
  table: icon(Table2),
  board: icon(SquareKanban),
  calendar: icon(Calendar),
  gallery: icon(LayoutDashboard),
  picture: icon(Image),
  form: icon(ClipboardList),
  down: icon(ChevronDown),
  search: icon(Search),
  command: icon(SquareTerminal)
} as const
