"""Checks documents by the parts of JSON Schema that docs/result-schema.json uses."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems_of(value, schema, root, place="$"):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            tries = [problems_of(value, option, root, place) for option in schema[choice]]
            fitting = sum(not problems for problems in tries)
            if fitting == 0 or (choice == "oneOf" and fitting > 1):
                return [f"{place}: fits {fitting} of {choice}"] + min(tries, key=len)
            return []
    if "const" in schema and value != schema["const"]:
        return [f"{place}: {value!r} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place}: {value!r} is none of {schema['enum']}"]
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_type(value, name) for name in names):
        return [f"{place}: {value!r} is no {' or '.join(names)}"]
    problems = []
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                problems.append(f"{place}: {name} is missing")
        for name, member in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if inner is False or inner is None:
                problems.append(f"{place}: {name} is not in the schema")
            else:
                problems += problems_of(member, inner, root, f"{place}.{name}")
    if isinstance(value, list):
        for index, member in enumerate(value):
            problems += problems_of(member, schema["items"], root, f"{place}[{index}]")
    return problems
