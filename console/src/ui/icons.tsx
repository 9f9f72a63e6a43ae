// Icons of one stroke. They stand beside words and are hidden from screen readers.
import type { ReactNode } from "react"

interface IconProps {
  readonly size?: number
  readonly children: ReactNode
}
export const Icon = ({ children, size = 20 }: IconProps) => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)
const icon = (body: ReactNode) => <Icon>{body}</Icon>

export const icons = {
  wheel: icon(
    <>
      <circle cx="12" cy="12" r="6.5" />
      <circle cx="12" cy="12" r="1.5" />
      <path d="M12 1.5v9M12 13.5v9M1.5 12h9M13.5 12h9M4.6 4.6l6.3 6.3M13.1 13.1l6.3 6.3M19.4 4.6l-6.3 6.3M10.9 13.1l-6.3 6.3" />
    </>
  ),
  home: icon(<path d="M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z" />),
  apps: icon(<path d="M4 5h16v14H4zM4 10h16M10 10v9" />),
  automations: icon(
    <>
      <circle cx="6" cy="6" r="2.5" />
      <circle cx="18" cy="18" r="2.5" />
      <path d="M6 8.5v6a3.5 3.5 0 0 0 3.5 3.5h6" />
    </>
  ),
  runs: icon(
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M10 8.5l5 3.5-5 3.5z" />
    </>
  ),
  webhooks: icon(<path d="M4 12h13M12 7l5 5-5 5M20 5v14" />),
  admin: icon(
    <>
      <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="17" r="2" />
    </>
  ),
  account: icon(
    <>
      <circle cx="12" cy="8" r="3.5" />
      <path d="M5 20c.8-3.6 3.5-5.5 7-5.5s6.2 1.9 7 5.5" />
    </>
  ),
  record: icon(<path d="M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7" />),
  comment: icon(<path d="M4 5h16v11H10l-5 4v-4H4z" />),
  drag: icon(<path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth="2.5" />),
  expand: icon(<path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />),
  more: icon(<path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth="2.5" />),
  table: icon(<path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9" />),
  board: icon(<path d="M4 5h4v14H4zM10 5h4v9h-4zM16 5h4v11h-4z" />),
  calendar: icon(<path d="M4 6h16v14H4zM4 10.5h16M8 3v5M16 3v5" />),
  gallery: icon(<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" />),
  picture: icon(<path d="M4 5h16v14H4zM4 16l4.5-4.5 4 4L15 13l5 5M15 9h.01" />),
  form: icon(<path d="M5 3h14v18H5zM8.5 8h7M8.5 12h7M8.5 16h4" />),
  down: icon(<path d="M7 10l5 5 5-5" />),
  search: icon(
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="M16 16l4.5 4.5" />
    </>
  )
} as const
