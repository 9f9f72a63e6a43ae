// The flow as a drawing that is panned (drag, wheel, Space over cards) and zoomed (Ctrl and wheel, pinch, + and -), by React Flow. What has the
// keyboard or is chosen comes into view. Its parts are buttons in reading order; the keyboard is ours (useKeyboard.ts).
import {
  type Edge,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  type Viewport
} from "@xyflow/react"
import "@xyflow/react/dist/style.css"
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react"
import { flowCanvas as texts } from "../../../texts/automations/editorSteps.ts"
import { useFlow, useFlowStore } from "./flowStore.ts"
import { CARD, type FlowLayout, type FlowNode, flowOf, PLUS } from "./model/layout.ts"
import type { Place } from "./model/steps.ts"
import { PlusButton } from "./PlusButton.tsx"
import { FilterCard, StepCard, TriggerCard } from "./StepCard.tsx"
import { useCanvasView } from "./useCanvasView.ts"

type Drawn = Node<{ readonly part: FlowNode; readonly add: (place: Place) => void }, "part">

const Part = memo(({ data: { add, part } }: NodeProps<Drawn>) => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    {part.kind === "trigger" ? (
      <TriggerCard />
    ) : part.kind === "filter" ? (
      <FilterCard />
    ) : part.kind === "step" ? (
      <StepCard id={part.id} number={part.number} />
    ) : part.kind === "plus" ? (
      <PlusButton place={part.place} after={part.after} add={add} />
    ) : (
      <span className="branch-name">{part.words}</span>
    )}
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
))
const nodeTypes = { part: Part }

const sizes = {
  trigger: CARD,
  filter: CARD,
  step: CARD,
  plus: { width: PLUS, height: PLUS },
  name: { width: CARD.width, height: 24 }
} as const

const mapColors = {
  trigger: "var(--muted)",
  filter: "var(--muted)",
  step: "var(--accent)",
  plus: "transparent",
  name: "transparent"
} as const

const MARGIN = 16
const SMALLEST_READABLE = 0.6

/** Shows the flow as wide as the frame allows while it can be read, from its beginning. The middle of the flow is at x = 0. */
const startView = ({ width }: FlowLayout, frame: number): Viewport => {
  const zoom = Math.max(SMALLEST_READABLE, Math.min(1, (frame - 2 * MARGIN) / width))
  return { x: frame / 2, y: MARGIN, zoom }
}

const ZoomTools = () => {
  const { fitView, zoomIn, zoomOut } = useReactFlow()
  return (
    <Panel position="bottom-left" className="zoom-tools">
      <button
        type="button"
        className="quiet"
        aria-label={texts.zoomIn}
        title={texts.zoomInByKey}
        onClick={() => void zoomIn()}
      >
        +
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={texts.zoomOut}
        title={texts.zoomOutByKey}
        onClick={() => void zoomOut()}
      >
        −
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={texts.showTheWholeFlow}
        title={texts.showTheWholeFlowByKey}
        onClick={() => void fitView({ maxZoom: 1, padding: 0.05 })}
      >
        <svg
          viewBox="0 0 24 24"
          width="18"
          height="18"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />
        </svg>
      </button>
    </Panel>
  )
}

interface CanvasProps {
  readonly add: (place: Place) => void
  readonly frame: RefObject<HTMLDivElement | null>
  readonly width: number
}
const Canvas = ({ add, frame, width }: CanvasProps) => {
  const store = useFlowStore()
  const shape = useFlow((state) => state.shape)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says when it is laid out anew
  const layout = useMemo(() => flowOf(store.read().definition.actions, store.read().folded), [shape, store])
  useCanvasView(frame, layout)
  const nodes = useMemo(
    () =>
      layout.nodes.map((part): Drawn => {
        const { height, width } = sizes[part.kind]
        return {
          id: part.id,
          type: "part",
          position: { x: part.x - layout.width / 2, y: part.y },
          data: { part, add },
          width,
          height,
          handles: [
            { type: "target", position: Position.Top, x: width / 2, y: 0 },
            { type: "source", position: Position.Bottom, x: width / 2, y: height }
          ]
        }
      }),
    [add, layout]
  )
  const edges = useMemo(
    () =>
      layout.edges.map(({ from, id, to }): Edge & { readonly pathOptions: object } => ({
        id,
        source: from,
        target: to,
        type: "smoothstep",
        pathOptions: { offset: 8, borderRadius: 8 }
      })),
    [layout]
  )
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      defaultViewport={startView(layout, width)}
      panOnScroll
      zoomOnDoubleClick={false}
      minZoom={0.1}
      maxZoom={1.5}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      disableKeyboardA11y
    >
      <ZoomTools />
      <MiniMap
        className="flow-map"
        pannable
        zoomable
        ariaLabel={texts.overviewOfTheFlow}
        nodeColor={({ data }) => mapColors[(data as Drawn["data"]).part.kind]}
        nodeBorderRadius={8}
      />
    </ReactFlow>
  )
}

export const FlowCanvas = memo(({ add }: { readonly add: (place: Place) => void }) => {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number>()
  // Before it is painted: no card stands elsewhere for a moment.
  useLayoutEffect(() => setWidth(frame.current?.clientWidth ?? 0), [])
  return (
    <div ref={frame} className="flow-canvas">
      {width !== undefined && (
        <ReactFlowProvider>
          <Canvas add={add} frame={frame} width={width} />
        </ReactFlowProvider>
      )}
    </div>
  )
})
