import { translator } from "@/lib/i18n";
import { searchMaximum } from "./search-text";

interface SearchFormProps {
  /**
   * The path that the form submits to.
   * Without it a form would submit to the current URL, its cursor included.
   */
  action: string;
  name: string;
  label: string;
  placeholder: string;
  value: string | undefined;
  className: string;
  /** Hidden inputs that belong to the search. */
  children?: React.ReactNode;
}

/** A search field with its button. */
export function SearchForm({
  action,
  name,
  label,
  placeholder,
  value,
  className,
  children,
}: SearchFormProps) {
  return (
    <search className={className}>
      <form action={action} className="flex gap-2">
        {children}
        <input
          type="search"
          name={name}
          aria-label={label}
          placeholder={placeholder}
          dir="auto"
          maxLength={searchMaximum}
          defaultValue={value}
          className="input"
        />
        <button type="submit" className="button shrink-0">
          {translator("home")("search")}
        </button>
      </form>
    </search>
  );
}
