def load(:
