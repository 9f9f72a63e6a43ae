// A table that scrolls sideways where it is wider than its place, by the keyboard too.
import type { ReactNode } from "react"

interface ScrollTableProps {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}
export const ScrollTable = ({ children, className, label }: ScrollTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than a phone is scrolled by the keyboard too
  <section className="scroll" tabIndex={0} aria-label={label}>
    <table className={className}>{children}</table>
  </section>
)
