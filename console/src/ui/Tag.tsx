// A word about the state of something; its tone is never the only sign.
import type { ReactNode } from "react"

interface TagProps {
  readonly tone?: "good" | "warn" | "bad" | ""
  readonly title?: string
  readonly children: ReactNode
}
export const Tag = ({ tone = "", title, children }: TagProps) => (
  <span className={`tag ${tone}`.trim()} title={title}>
    {children}
  </span>
)
