import { LRUCache } from "lru-cache";
import { currentLocale, outsideRequest } from "@/lib/request/current-request";
import { staticMarkup } from "@/lib/request/static-markup";

/** The memory for all kept HTML with its keys, in characters. */
const keptMaximum = 16 * 1024 * 1024;

/** Values that are the same when their JSON is. */
type Plain<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends (...parameters: never[]) => unknown
    ? never
    : { [Key in keyof Value]: Plain<Value[Key]> };

type StaticComponent<Props> = (props: Props) => React.ReactNode;

const kept = new LRUCache<string, string>({
  maxSize: keptMaximum,
  sizeCalculation: (html, key) => html.length + key.length,
});
/** The number of each component, for its keys. */
const numbers = new WeakMap<object, number>();
let numbered = 0;

type StaticPartProps<Props> = Omit<React.HTMLAttributes<HTMLElement>, "children"> & {
  as: "a" | "div" | "dl" | "footer" | "header" | "nav" | "ol" | "table";
  href?: string;
  of: StaticComponent<Props>;
  /** The properties of each of its children. */
  items: readonly (Props & Plain<Props>)[];
};

/**
 * An element with children that are rendered once for the same properties.
 *
 * Later ones in the same language get the same HTML, which React need not walk again. The children depend on nothing
 * else: times, settings and facts about the user are among their properties. They are rendered outside of the request,
 * and can contain no component of the browser.
 */
export function StaticPart<Props extends object>({
  as: Element,
  of: Child,
  items,
  ...attributes
}: StaticPartProps<Props>) {
  const render = staticMarkup();
  if (!render)
    return (
      <Element {...attributes}>
        {items.map((props) => (
          <Child key={JSON.stringify(props)} {...props} />
        ))}
      </Element>
    );
  const prefix = `${currentLocale()} ${numberOf(Child)} `;
  const htmlOf = (props: Props) => {
    const key = prefix + JSON.stringify(props);
    let html = kept.get(key);
    if (html === undefined) {
      html = outsideRequest(() => render(<Child {...props} />));
      kept.set(key, html);
    }
    return html;
  };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React has made it, and escaped all texts
  return <Element {...attributes} dangerouslySetInnerHTML={{ __html: items.map(htmlOf).join("") }} />;
}

function numberOf(component: object): number {
  let number = numbers.get(component);
  if (number === undefined) {
    numbered += 1;
    number = numbered;
    numbers.set(component, number);
  }
  return number;
}
